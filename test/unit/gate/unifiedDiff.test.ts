import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Content, madeContent } from '../../../src/gate/content.ts';
import { scanText } from '../../../src/gate/secrets/scanner.ts';
import { withSharedSecrets } from '../../../src/gate/sharedSecrets.ts';
import { unifiedDiff, unifiedDiffInSlices } from '../../../src/gate/unifiedDiff.ts';
import { Dice } from '../../tools/dice.ts';
import { leastCost, measured } from '../../tools/processorTime.ts';
import { maskText } from './untagged.ts';

const exact = { lineEnds: 'exact' } as const;
const plain = (text: string): Content => madeContent(text, [], []);
const hunks = (before: string, after: string, options: Parameters<typeof unifiedDiff>[2] = exact): string =>
  unifiedDiff(plain(before), plain(after), options).hunks.text;
const numbered = (...lines: readonly (string | number)[]): string => lines.map((line) => `${line}\n`).join('');

describe('a unified diff of two texts', () => {
  it('compares texts of 100,000 lines in short steps', async () => {
    const dice = new Dice(3);
    const kinds: Record<string, () => string> = {
      'two lines in turn': () => `${dice.below(2)}\n`,
      'few changes': () => `${dice.below(150) === 0 ? dice.below(2) : 2}\n`,
      'lines of their own': () => `${dice.below(1_000_000)}\n`,
    };
    for (const [name, line] of Object.entries(kinds)) {
      const longest = await leastCost(50, () => {
        const [before, after] = [0, 1].map(() => plain(Array.from({ length: 100_000 }, line).join('')));
        return measured(unifiedDiffInSlices(before ?? plain(''), after ?? plain(''), exact)).longestMs;
      });
      assert.ok(longest < 50, `${name}: ${longest} ms`);
    }
  });

  it('has hunks with three lines of context, in the order of the file', () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
    const before = numbered(...lines);
    const after = numbered(...lines.with(4, 'FIVE').toSpliced(20, 1));
    assert.equal(
      hunks(before, after),
      [
        '@@ -2,7 +2,7 @@',
        ' line 2',
        ' line 3',
        ' line 4',
        '-line 5',
        '+FIVE',
        ' line 6',
        ' line 7',
        ' line 8',
        '@@ -18,7 +18,6 @@',
        ' line 18',
        ' line 19',
        ' line 20',
        '-line 21',
        ' line 22',
        ' line 23',
        ' line 24',
        '',
      ].join('\n'),
    );
  });

  it('marks a missing newline at the end of either side', () => {
    assert.equal(hunks('a', 'a\n'), '@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n');
    assert.equal(hunks('', 'a'), '@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n');
    assert.equal(hunks('a\n', ''), '@@ -1 +0,0 @@\n-a\n');
    assert.equal(hunks('same', 'same'), '');
  });

  it('names the changed lines of the new text, and where lines were removed', () => {
    const changed = (before: string, after: string) => unifiedDiff(plain(before), plain(after), exact).changed;
    assert.deepEqual(changed(numbered('one', 'two', 'four'), numbered('one', 'TWO', 'three', 'four')), [
      { first: 2, last: 3 },
    ]);
    assert.deepEqual(changed(numbered(1, 2, 3), numbered(1, 3)), [{ first: 1, last: 1 }]);
    assert.deepEqual(changed(numbered(1, 2, 3), numbered(2, 3)), [{ first: 1, last: 1 }]);
    assert.deepEqual(changed('', numbered(1, 2, 3)), [{ first: 1, last: 3 }]);
    assert.deepEqual(changed(numbered(1), ''), [{ first: 1, last: 1 }]);
    assert.deepEqual(changed(numbered(1, 2), numbered(1, 2)), []);
  });

  it('ignores the line endings that git writes on Windows, if requested', () => {
    const asBefore = { lineEnds: 'as-before' } as const;
    assert.equal(hunks('a\nb\n', 'a\r\nB\r\n', asBefore), '@@ -1,2 +1,2 @@\n a\n-b\n+B\n');
    assert.equal(hunks('a\nb\n', 'a\r\nb\r\n', asBefore), '');
    assert.notEqual(hunks('a\nb\n', 'a\r\nb\r\n'), '');
    // Mixed on either side: they differ.
    assert.equal(hunks('a\nb\n', 'a\r\nb\n', asBefore), '@@ -1,2 +1,2 @@\n-a\n+a\r\n b\n');
    assert.notEqual(hunks('a\r\nb\n', 'a\r\nb\r\n', asBefore), '');
  });

  describe('a diff with secrets', () => {
    const body = Array.from(
      { length: 9 },
      (_, index) => String(index).repeat(3) + 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC'.repeat(2),
    );
    const key = (lines: readonly string[], indent = ''): string =>
      ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----']
        .map((line) => `${indent}${line}\n`)
        .join('');
    const scanned = async (text: string): Promise<Content> => madeContent(text, await scanText(text), []);
    const drawn = (before: Content, after: Content): Promise<string> => {
      const { hunks: diff } = unifiedDiff(before, after, exact);
      return maskText(diff.text, diff.marks);
    };
    const masked = async (before: string, after: string): Promise<string> =>
      drawn(await scanned(before), await scanned(after));
    /** As in the diff of a file. */
    const maskedShared = async (before: string, after: string): Promise<string> =>
      drawn(...(await withSharedSecrets(await scanned(before), await scanned(after))));
    const leaks = (text: string): readonly string[] =>
      body.filter((line) => text.includes(line.slice(4, 20)) || text.includes(line));

    it('masks a value in both versions if only one of them has the name that makes it a secret', async () => {
      const cases = [
        ['hG7kd9Xq2LmZ4w8P', 'const password = "hG7kd9Xq2LmZ4w8P";\n', 'const p = "hG7kd9Xq2LmZ4w8P";\n'],
        ['hG7kd9Xq2LmZ4w8P', 'password: hG7kd9Xq2LmZ4w8P\n', 'x: hG7kd9Xq2LmZ4w8P # moved\n'],
        ['correct-horse', 'db=postgres://app:correct-horse-battery@db/x\n', 'U=app\nP=correct-horse-battery\n'],
        ['aHVudGVyMg==', 'kind: Secret\ndata:\n  a: aHVudGVyMg==\n', 'kind: Map\ndata:\n  a: aHVudGVyMg== # x\n'],
      ] as const;
      for (const [secret, named, unnamed] of cases) {
        for (const text of [await maskedShared(named, unnamed), await maskedShared(unnamed, named)]) {
          assert.ok(!text.includes(secret), text);
          assert.match(text, /^-.*\[masked: /m);
          assert.match(text, /^\+.*\[masked: /m);
        }
      }
    });

    it('masks a secret that is repeated without its name in the same version', async () => {
      const before = 'const password = "hG7kd9Xq2LmZ4w8P";\nuse("hG7kd9Xq2LmZ4w8P");\n';
      assert.ok(!(await maskedShared(before, 'use(read());\n')).includes('hG7kd9Xq2LmZ4w8P'));
    });

    it('changes no lines, and marks nothing if neither version has a secret', async () => {
      const [before, after] = await withSharedSecrets(plain('one\ntwo\n'), plain('one\nthree\n'));
      assert.deepEqual([before, after], [plain('one\ntwo\n'), plain('one\nthree\n')]);
    });

    it('contains no part of a private key whose middle line changes', async () => {
      const before = `a\n${key(body)}b\n`;
      const after = `a\n${key(body.with(4, 'x'.repeat(64)))}b\n`;
      const text = await masked(before, after);
      assert.deepEqual(leaks(text), []);
      assert.ok(!text.includes('xxxxxxxx'));
      assert.match(text, /^-\[masked: /m);
      assert.match(text, /^\+\[masked: /m);
    });

    it('contains no part of a key whose BEGIN or END is added, removed or moved', async () => {
      const whole = key(body);
      const lines = whole.split('\n');
      for (const other of [lines.slice(1), lines.slice(0, -2), ['', ...lines.slice(1)], lines.toReversed()]) {
        const text = other.join('\n');
        assert.deepEqual(leaks(await masked(whole, text)), []);
        assert.deepEqual(leaks(await masked(text, whole)), []);
        const moved = text.replace(/^/gm, '    ');
        assert.deepEqual(leaks(await masked(whole, moved)), []);
        assert.deepEqual(leaks(await masked(`a\n${moved}`, `b\r\n${whole.replaceAll('\n', '\r\n')}`)), []);
      }
    });

    it('contains no eight characters of a key, however the key is cut in the other version', async () => {
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
      const line = fc.string({ unit: fc.constantFrom(...alphabet), minLength: 64, maxLength: 64 });
      const change = fc.record({
        at: fc.nat(),
        remove: fc.nat({ max: 90 }),
        put: fc.constantFrom('', '> ', '"', '\n', ' ', 'x', '\r\n'),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.array(line, { minLength: 3, maxLength: 8 }),
          fc.array(change, { maxLength: 6 }),
          async (lines, changes) => {
            const before = `a\n${key(lines)}b\n`;
            let after = before.replace('-----BEGIN PRIVATE KEY-----\n', '');
            for (const { at, remove, put } of changes) {
              const start = at % (after.length + 1);
              after = after.slice(0, start) + put + after.slice(start + remove);
            }
            for (const diff of [await masked(before, after), await masked(after, before)]) {
              // The `+` before a line belongs to the diff, not to the key.
              const text = diff.replace(/^[+-]/gm, ' ');
              for (const secret of lines) {
                for (let at = 0; at + 8 <= secret.length; at += 1) assert.ok(!text.includes(secret.slice(at, at + 8)));
              }
            }
          },
        ),
        { numRuns: 300 },
      );
    });

    it('keeps text that is not secret', async () => {
      const before = `const total = count(lines);\n${key(body)}aVeryLongNameOfAFunctionInTheProject();\n`;
      const after = `const total = sum(lines);\n${key(body)}aVeryLongNameOfAFunctionInOurProject();\n`;
      const text = await masked(before, after);
      for (const line of [
        '-const total = count(lines);',
        '+const total = sum(lines);',
        '+aVeryLongNameOfAFunctionInOurProject();',
      ])
        assert.ok(text.includes(`${line}\n`), line);
    });
  });
});
