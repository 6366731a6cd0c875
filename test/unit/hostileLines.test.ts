import assert from 'node:assert/strict';
import { splitImports } from '../../src/edits/placing/imports.ts';
import { readAnswer } from '../../src/edits/reading/answer.ts';
import { cleanFile } from '../../src/edits/reading/fileName.ts';
import { Code } from '../../src/edits/text/units.ts';
import { inertMarkdown } from '../../src/session/conversation/inertMarkdown.ts';
import { commentText } from '../../src/session/prompts/commentText.ts';
import { blocksIn } from '../../src/session/prompts/fences.ts';
import { parsePromptFile } from '../../src/session/prompts/promptFile.ts';
import { countFences } from '../../src/webview/markdown/fence.ts';

const many = 400_000;

// What is not linear here takes minutes.
describe('a line of one repeated letter', () => {
  // JavaScript's patterns treat it as the end of a line, and Markdown does not.
  for (const mark of ['`', '~'])
    it(`begins a fence with ${mark}, also with a line separator behind it`, () => {
      const text = `${mark.repeat(many)}\u2028\na\n`;
      assert.equal(countFences(text), 1);
      assert.equal(blocksIn(text).length, 1);
      assert.deepEqual(readAnswer(text).blocks[0]?.lines, ['a']);
      assert.ok(inertMarkdown(text).includes('a'));
    });

  it('is read as a name of a file, a key of a prompt, and a comment', () => {
    assert.equal(cleanFile(`a.ts${' '.repeat(many)}(line 3)`), 'a.ts');
    assert.equal(cleanFile(`a${' '.repeat(many)}b`).length, many + 2);
    const prompt = parsePromptFile(`---\nname:${'\t'.repeat(60_000)}\u2028\n---\nDo it.\n`, 'own');
    assert.ok(!prompt.ok);
    assert.equal(commentText(`/*${'*'.repeat(many)}`), null);
    assert.equal(commentText('/** Adds. */'), 'Adds.');
    assert.equal(commentText('/**/'), null);
  });

  it('is read as an import of C#', () => {
    const importsOf = (line: string) => splitImports(new Code([line, 'class B', '{', '}'], 'csharp')).imports;
    for (const line of [`using a =${' '.repeat(many)}`, `using a${' '.repeat(many)}=`])
      assert.deepEqual(importsOf(line), []);
    for (const line of ['using System;', 'global using static A.B ;', 'using a = B.C<int, D> ;', 'using a=B;'])
      assert.deepEqual(importsOf(line), [[line]]);
  });
});
