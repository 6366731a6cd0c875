import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { blockAt } from '../../../src/edits/block.ts';

/** The block at the line with `▮`, which is removed; `…` stands for 100 lines that fit there. */
function at(languageId: string, text: string, filler: (index: number) => string = (index) => `use(${index});`): string {
  const lines = text.split('\n').flatMap((line) => {
    if (line.trim() !== '…') return [line];
    const indent = line.slice(0, line.indexOf('…'));
    return Array.from({ length: 100 }, (_, index) => `${indent}${filler(index)}`);
  });
  const cursor = lines.findIndex((line) => line.includes('▮'));
  const clean = lines.map((line) => line.replace('▮', ''));
  const block = blockAt(clean, languageId, cursor);
  return block === null ? 'all' : clean.slice(block.start, block.end).join('\n');
}

describe('the block at the cursor', () => {
  it('is the whole of a short file, and of a blank one', () => {
    assert.equal(at('typescript', 'const a = 1;\n\nfunction f() {\n  ▮return a;\n}'), 'all');
    assert.equal(at('plaintext', `▮${'\n'.repeat(500)}`), 'all');
  });

  it('is the function, with its comments', () => {
    const f = '/** Adds. */\nfunction add(a, b) {\n  const sum = a + b;\n\n  return sum;\n}';
    assert.equal(at('javascript', `…\n\n${f.replace('\n\n', '\n▮\n')}\n\n…`), f);
    assert.equal(at('javascript', `…\n\n${f.replace('Adds', '▮Adds')}\n\n…`), f);
    assert.equal(at('javascript', `…\n\n${f.replace('add(', '▮add(')}\n\n…`), f);
  });

  it('is the member of a long class, and the class at its head', () => {
    const method = '  b() {\n    return 2;\n  }';
    const whole = (mark: string, other: string) =>
      `…\n\nclass A${mark} {\n  a() {\n    …\n  }\n\n${method.replace('2', `2${other}`)}\n}\n`;
    assert.equal(at('java', whole('', '▮')), method);
    assert.match(at('java', whole('▮', '')), /^class A \{\n {2}a\(\) \{[\s\S]*\n\}$/);
  });

  it('is the largest block in a long function that is short enough', () => {
    const inner = '  for (const a of all) {\n    if (a) {\n      use(a);\n    }\n  }';
    assert.equal(at('typescript', `function f() {\n  …\n\n${inner.replace('use(a)', '▮use(a)')}\n\n  …\n}`), inner);
    const python = '    for a in all:\n        if a:\n            use(a)';
    const filler = (index: number) => `use(${index})`;
    assert.equal(at('python', `def f():\n    …\n${python.replace('use(a)', '▮use(a)')}\n    …\n`, filler), python);
  });

  it('the block is the group of statements without a blank line', () => {
    const together = 'const a = 1;\nconst b = 2;\nconst c = 3;';
    assert.equal(at('typescript', `…\n\n${together.replace('b', '▮b')}\n\n…`), together);
    // Below a blank line, above another.
    assert.equal(at('typescript', `…\n\n▮\n${together}\n\n…`), together);
  });

  it('is an entry, a query, or a section, in languages without functions', () => {
    const entry = 'jobs:\n  test:\n    steps:\n      - run: a';
    const key = (index: number) => `key${index}: 1`;
    assert.equal(at('yaml', `…\n${entry.replace('run', '▮run')}\n…`, key), entry);
    const query = 'SELECT a,\n  b\nFROM c;';
    assert.equal(
      at('sql', `…\n\n${query.replace('b', '▮b')}\n\n…`, (index) => `DROP TABLE t${index};`),
      query,
    );
    const section = '[other]\na = 1\nb = 2';
    assert.equal(
      at('ini', `[one]\n…\n\n${section.replace('b', '▮b')}\n\n…`, (index) => `a${index} = 1`),
      section,
    );
  });

  it('the block is found by its indentation in a language without known syntax', () => {
    const element = '    <div>\n      <p>a</p>\n      <p>b</p>\n    </div>';
    const html = (index: number) => `<i>${index}</i>`;
    assert.equal(at('html', `<body>\n    …\n${element.replace('<p>b', '▮<p>b')}\n    …\n</body>`, html), element);
    const shell = 'if a; then\n  b\n  c\nfi';
    assert.equal(
      at('plaintext', `…\n${shell.replace('  c', '  ▮c')}\n…`, (index) => `run ${index}`),
      shell,
    );
  });

  it('the block is the lines around the cursor if nothing shows its limits', () => {
    const block = at('plaintext', '…\n▮here\n…', (index) => `line ${index}`).split('\n');
    assert.equal(block.length, 41);
    assert.equal(block[20], 'here');
  });

  it('has the line of the cursor, in the files of this repository', () => {
    const folder = 'src/edits/placing';
    for (const name of readdirSync(folder)) {
      const lines = readFileSync(`${folder}/${name}`, 'utf8').split('\n');
      for (let line = 0; line < lines.length; line += 7) {
        const block = blockAt(lines, 'typescript', line);
        if (block === null || lines[line]?.trim() === '') continue;
        assert.ok(block.start <= line && line < block.end, `${name}: ${line}`);
      }
    }
  });

  it('the block of any text is inside the file, has at least one line, and is never blank', () => {
    const line = fc.constantFrom('', '  ', 'a', '  a {', '}', '    b(', ')', '"""', '/*', '*/', '  - c:', '# d', '`');
    const languages = fc.constantFrom('typescript', 'python', 'yaml', 'sql', 'html', 'plaintext', 'go');
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 200 }),
        languages,
        fc.nat(),
        (lines, languageId, number) => {
          const block = blockAt(lines, languageId, number % lines.length);
          if (block === null) return;
          assert.ok(0 <= block.start && block.start < block.end && block.end <= lines.length);
          assert.notEqual(lines.slice(block.start, block.end).join('').trim(), '');
        },
      ),
    );
  });
});
