import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Content, madeContent } from '../../../src/gate/content.ts';
import { diffHeader, type FileVersion, hunkHeader } from '../../../src/gate/diffHeader.ts';
import { unifiedDiff } from '../../../src/gate/unifiedDiff.ts';

const exact = { lineEnds: 'exact' } as const;
const plain = (text: string): Content => madeContent(text, [], []);
const hunks = (before: string, after: string): string => unifiedDiff(plain(before), plain(after), exact).hunks.text;
const header = (before: FileVersion | null, after: FileVersion | null): string =>
  diffHeader(before, after) + hunkHeader(before, after);

describe('git applies a generated diff', () => {
  let folder: string;
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  const git = (args: readonly string[], input?: string): string =>
    execFileSync('git', [...args], {
      cwd: folder,
      env,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(input === undefined ? {} : { input }),
    });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-diff-'));
    git(['init', '-q']);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const line = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.constantFrom(
        '',
        'a',
        'b',
        '}',
        '\treturn;',
        '-',
        '+',
        ' ',
        '\\',
        '@@ -1 +1 @@',
        '--- a/x',
        '+++ b/x',
      ),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => text.replace(/[\n\0]/g, '')) },
    { weight: 1, arbitrary: fc.constantFrom('x\ry', '\r', 'é\u2028z', '😀', 'z\u0085') },
  );
  const end = fc.constantFrom('\n', '\n', '\n', '\r\n', '\r');
  const text = fc
    .tuple(fc.array(fc.tuple(line, end), { maxLength: 40 }), fc.constantFrom('', '', 'open'))
    .map(([lines, last]) => lines.map(([one, stop]) => one + stop).join('') + last);
  /** A text, and the same text after a few edits. */
  const pair = fc.oneof(
    fc.tuple(text, text),
    fc.tuple(text, fc.array(fc.tuple(fc.nat(), fc.nat({ max: 3 }), text), { maxLength: 4 })).map(([before, edits]) => {
      const lines = before.split('\n');
      for (const [at, removed, put] of edits)
        lines.splice(at % (lines.length + 1), removed, ...put.split('\n').slice(0, 3));
      return [before, lines.join('\n')] as const;
    }),
  );

  /** Many files in one patch: one process per file would take minutes. */
  const applied = (
    pairs: readonly (readonly [before: string, after: string])[],
    made: (before: string, after: string, name: string) => string,
  ): void => {
    rmSync(join(folder, 'files'), { recursive: true, force: true });
    mkdirSync(join(folder, 'files'));
    const differing = pairs.filter(([before, after]) => before !== after);
    if (differing.length === 0) return;
    for (const [index, [before]] of differing.entries()) writeFileSync(join(folder, `files/${index}.txt`), before);
    const patch = differing.map(([before, after], index) => made(before, after, `files/${index}.txt`)).join('');
    git(['apply', '--whitespace=nowarn', '-'], patch);
    for (const [index, [, after]] of differing.entries())
      assert.equal(readFileSync(join(folder, `files/${index}.txt`), 'utf8'), after);
  };
  const make = (before: string, after: string, path: string): string => {
    const version = { path, mode: '100644' };
    return header(version, version) + hunks(before, after);
  };

  it('the diffs of 3,000 random texts apply, with the new text as the result', () => {
    fc.assert(
      fc.property(fc.array(pair, { minLength: 200, maxLength: 200 }), (pairs) => applied(pairs, make)),
      { numRuns: 15, endOnFailure: true },
    );
  });

  it('the diffs of adversarially slow texts apply, although the search stops early', () => {
    const lines = (length: number): string[] =>
      Array.from({ length }, (_, index) => String.fromCharCode(97 + ((index * index * 7919) % 13)));
    const anchored = (shift: number): string =>
      Array.from({ length: 100 }, (_, index) => [...lines(2_000 + shift), `anchor ${index}`, ''].join('\n')).join('');
    applied([[anchored(0), anchored(700)]], make);
    const counted = Array.from({ length: 50_000 }, (_, index) => `${index}\n`);
    applied([[counted.join(''), counted.toReversed().join('')]], make);
  });

  it('keeps the lines outside of the changes', () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const lines = after === '' ? [] : after.replace(/\n$/, '').split('\n');
        const { changed } = unifiedDiff(plain(before), plain(after), exact);
        // The lines outside are in the old text as well, in this order.
        const same = lines.filter(
          (_, index) => !changed.some(({ first, last }) => first <= index + 1 && index + 1 <= last),
        );
        const old = before.replace(/\n$/, '').split('\n');
        let at = 0;
        for (const one of same) {
          at = old.indexOf(one, at) + 1;
          assert.notEqual(at, 0, JSON.stringify(one));
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('the diffs of any file name, and of created, moved, deleted and executable files, apply', () => {
    const names = [
      '[id].tsx',
      '*.yml',
      '-x',
      'a b.txt',
      'ümlaut ß.ts',
      'a"quote".txt',
      'back\\slash',
      'tab\tname',
      'new\nline',
      '😀',
      '..data',
      'b/a/b.txt',
      "it's",
      '2026-01-01 10:00:00',
    ];
    for (const path of names) {
      const file = { path, mode: '100644' };
      const at = (name: string): string => join(folder, name);
      git(['apply', '-'], header(null, file) + hunks('', 'one\n'));
      assert.equal(readFileSync(at(path), 'utf8'), 'one\n');
      const moved = { path: `moved/${path}`, mode: '100755' };
      git(['apply', '-'], header(file, moved) + hunks('one\n', 'two\n'));
      assert.equal(existsSync(at(path)), false);
      assert.equal(readFileSync(at(moved.path), 'utf8'), 'two\n');
      git(['apply', '-'], header(moved, null) + hunks('two\n', ''));
      assert.equal(existsSync(at(moved.path)), false);
      // No hunk.
      git(['apply', '-'], diffHeader(null, file));
      git(['apply', '-'], diffHeader(file, { path, mode: '100755' }));
      git(['apply', '-'], diffHeader({ path, mode: '100755' }, { path: `${path}.2`, mode: '100755' }));
      git(['apply', '-'], diffHeader({ path: `${path}.2`, mode: '100755' }, null));
      assert.equal(existsSync(at(`${path}.2`)), false);
    }
  });
});
