import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createLocator, lineOf, lineStarts } from '../../../src/review/findings/locate.ts';

const text = 'a = 1;\r\nb = call(a,\r\n\t\tc);\r\na = 1;\r\nkey = "AKIAIOSFODNN7EXAMPLE";\r\n';
const locate = (quote: string, line: number | null = null) => {
  const place = createLocator(text).locate(quote, line);
  return place.kind === 'file' ? 'file' : [place.kind, text.slice(place.start, place.end)];
};

describe('finding the place of a quote', () => {
  it('matches exactly, then with folded white space, otherwise the whole file', () => {
    assert.deepEqual(locate('b = call(a,'), ['exact', 'b = call(a,']);
    assert.deepEqual(locate('  b = call(a,\n  '), ['exact', 'b = call(a,']);
    assert.deepEqual(locate('b = call(a, c);'), ['folded', 'b = call(a,\r\n\t\tc);']);
    assert.deepEqual(locate('b = call(a,\n    c);'), ['folded', 'b = call(a,\r\n\t\tc);']);
    for (const quote of ['b = call(d)', '', ' \n ', '[masked: x]']) assert.equal(locate(quote), 'file');
  });

  it('takes the match nearest to the given line, otherwise the first', () => {
    const starts = lineStarts(text);
    const lineOfPlace = (line: number | null): number => {
      const place = createLocator(text).locate('a = 1;', line);
      return place.kind === 'file' ? 0 : lineOf(starts, place.start);
    };
    assert.deepEqual([null, 1, 2, 3, 4, 4000].map(lineOfPlace), [1, 1, 1, 4, 4, 4]);
  });

  it('finds the place of a secret that was masked before sending', () => {
    assert.deepEqual(locate('key = "[masked: aws-access-key]";'), ['masked', 'key = "AKIAIOSFODNN7EXAMPLE";']);
    assert.equal(locate('other = "[masked: aws-access-key]";'), 'file');
  });

  it('finds each part of any text, and nothing else', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b', ' ', '\n', '\t', '('), { minLength: 1, maxLength: 60 }),
        fc.nat(),
        fc.nat(),
        (parts, a, b) => {
          const whole = parts.join('');
          const [start, end] = [a % whole.length, b % (whole.length + 1)].sort((x, y) => x - y) as [number, number];
          const quote = whole.slice(start, end);
          const place = createLocator(whole).locate(quote, null);
          if (quote.trim() === '') return place.kind === 'file';
          return place.kind === 'exact' && whole.slice(place.start, place.end) === quote.trim();
        },
      ),
    );
  });

  it('terminates if a quote occurs everywhere', () => {
    const long = 'a '.repeat(500_000);
    const locator = createLocator(long);
    assert.equal(locator.locate('a', 900).kind, 'exact');
    assert.equal(locator.locate('a [masked: x] zzz', 1).kind, 'file');
  });
});
