import assert from 'node:assert/strict';
import fc from 'fast-check';
import { foldBytes } from '../../../../src/gate/ignore/bytes.ts';
import { neededPairs, Pairs } from '../../../../src/gate/ignore/pairs.ts';
import { wildmatch } from '../../../../src/gate/ignore/wildmatch.ts';

describe('gate: pairs of adjacent bytes', () => {
  const mayMatch = (pattern: string, text: string): boolean =>
    new Pairs(foldBytes(text)).mayHave(neededPairs(foldBytes(pattern)), { left: 0 });

  it('reject what cannot match', () => {
    assert.deepEqual(
      [mayMatch('wo*rd7', 'word7'), mayMatch('wo*rd7', 'word8'), mayMatch('WO*rd7', 'word7'), mayMatch('a*b', 'zz')],
      [true, false, true, true],
    );
    assert.deepEqual(
      [
        mayMatch('ab/**/cd', 'ab/cd'),
        mayMatch('foo**/bar', 'foobar'),
        mayMatch('ab[cd]ef', 'abc'),
        mayMatch('\\ab', 'ab'),
      ],
      [true, true, true, true],
    );
  });

  it('never reject a match', () => {
    const written = fc.constantFrom(
      'a',
      'b',
      'A',
      '/',
      '*',
      '**',
      '**/',
      '/**',
      '?',
      '[ab]',
      '[!a]',
      '[',
      ']',
      '\\a',
      '\\',
    );
    const pattern = fc.array(written, { minLength: 1, maxLength: 7 }).map((parts) => parts.join(''));
    const text = fc
      .array(fc.constantFrom('a', 'b', 'A', '/', ']', 'c'), { maxLength: 7 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(pattern, text, fc.boolean(), fc.boolean(), (glob, path, isPath, ignoresCase) => {
        const asked = ignoresCase ? foldBytes(path) : path;
        if (wildmatch(glob, asked, { isPath, ignoresCase })) assert.ok(mayMatch(glob, asked));
      }),
      { numRuns: 20_000 },
    );
  });
});
