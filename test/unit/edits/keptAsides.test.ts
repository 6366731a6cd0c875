import assert from 'node:assert/strict';
import { headOf } from '../../../src/edits/keptAsides.ts';
import { placeAnswer } from '../../../src/edits/place.ts';
import { readAnswer } from '../../../src/edits/reading/answer.ts';

describe('the comments and decorators of a symbol', () => {
  /** The file with an answer in the place of its symbol, which is all but the first two lines and the last two. */
  const placed = (languageId: string, symbol: string, code: string): string | undefined => {
    const lines = ['a: 0', '', ...symbol.split('\n'), '', 'z: 9'];
    const [start, end] = [2, lines.length - 2];
    const place = { start, end, indent: '', head: headOf(lines, languageId, { start, end }) };
    const read = readAnswer(`\`\`\`\n${code}\n\`\`\`\n`);
    const answer = placeAnswer(read, { lines, languageId, mode: 'edit', places: [place] });
    return answer.is === 'edit' ? answer.lines.slice(2, -2).join('\n') : undefined;
  };

  const kept: readonly (readonly [languageId: string, symbol: string, code: string, expected?: string])[] = [
    ['typescript', '/** Adds. */\n@log()\nfunction add() {\n  return 1;\n}', 'function add() {\n  return 2;\n}'],
    ['python', '@cache\n@auth(\n    "admin",\n)\ndef add():\n    return 1', 'def add():\n    return 2'],
    ['java', '/** Adds. */\n@PreAuthorize("admin")\nint add() {\n  return 1;\n}', 'int add() {\n  return 2;\n}'],
    ['go', '// add adds.\nfunc add() int {\n\treturn 1\n}', 'func add() int {\n\treturn 2\n}'],
    ['csharp', '/// <summary>Adds.</summary>\n[Authorize]\nint Add() {\n  return 1;\n}', 'int Add() {\n  return 2;\n}'],
    ['sql', '-- Adds.\ncreate view added as\nselect 1;', 'create view added as\nselect 2;'],
    ['yaml', '# Adds.\nadd:\n  by: 1', 'add:\n  by: 2'],
  ];
  for (const [languageId, symbol, code] of kept) {
    it(`stay, where the answer has none of them: ${languageId}`, () => {
      const expected = symbol.replace(/(?<=return |select |by: )1/, '2');
      assert.notEqual(expected, symbol);
      assert.equal(placed(languageId, symbol, code), expected);
    });

    it(`go, where the answer changes nothing else: ${languageId}`, () => {
      const bare = code.replace(/(?<=return |select |by: )2/, '1');
      assert.equal(placed(languageId, symbol, bare), bare);
    });
  }

  it('are replaced by those of the answer, and one that it leaves out goes', () => {
    const symbol = '/** Adds. */\n@log()\nfunction add() {\n  return 1;\n}';
    const code = '/** Sums. */\nfunction add() {\n  return 2;\n}';
    assert.equal(placed('typescript', symbol, code), code);
  });

  it('stay below imports that the answer begins with', () => {
    const symbol = '/** Adds. */\nfunction add() {\n  return 1;\n}';
    const placedText = placed('typescript', symbol, "import { b } from 'b';\n\nfunction add() {\n  return b;\n}");
    assert.match(placedText ?? '', /\/\*\* Adds\. \*\/\nfunction add\(\) \{\n {2}return b;\n\}$/);
  });

  it('are found by pieces that change them', () => {
    const piece = '<<<<<<< SEARCH\n// add adds.\n=======\n// add sums.\n>>>>>>> REPLACE';
    const symbol = '// add adds.\nfunc add() int {\n\treturn 1\n}';
    assert.equal(placed('go', symbol, piece), symbol.replace('adds', 'sums'));
  });
});
