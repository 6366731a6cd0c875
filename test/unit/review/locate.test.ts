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

  const code = [
    'function pay(card) {',
    "  log('card: ' + card.number);",
    '',
    '  send( card,  "now" );',
    '  return  merge({ ...card }, other);',
    '  // – checked',
    '}',
    'pay(a); // `done`',
  ].join('\n');
  const cases: readonly (readonly [what: string, quote: string, line: number | null, kind: string, found: string])[] = [
    ['our line numbers', "2|   log('card: ' + card.number);\n3|", null, 'loose', "log('card: ' + card.number);"],
    ['a line number at its first line', '7| }\npay(a);', null, 'loose', '}\npay(a);'],
    ['double quotation marks', '  log("card: " + card.number);', null, 'loose', "log('card: ' + card.number);"],
    ['typographic ones', 'log(‘card: ’ + card.number);', null, 'loose', "log('card: ' + card.number);"],
    ['backticks around it', "`log('card: ' + card.number);`", null, 'loose', "log('card: ' + card.number);"],
    ['other backticks', "pay(a); // 'done'", null, 'loose', 'pay(a); // `done`'],
    ['no spaces', 'send(card, "now");', null, 'loose', 'send( card,  "now" );'],
    ['more spaces', 'function pay ( card )  {', null, 'loose', 'function pay(card) {'],
    ['another dash', '// - checked', null, 'loose', '// – checked'],
    [
      'dots for what is left out',
      'function pay(card) {\n  ...\n}',
      null,
      'loose',
      code.slice(0, code.indexOf('}') + 1),
    ],
    ['an ellipsis in a line', 'log(… card.number)', null, 'loose', "log('card: ' + card.number)"],
    [
      'a comment for what is left out',
      'function pay(card) {\n  // ...\n  send(',
      null,
      'loose',
      code.slice(0, code.indexOf('send(') + 5),
    ],
    ['its own dots', 'merge({...card}, other)', null, 'loose', 'merge({ ...card }, other)'],
    ['line numbers', "2: log('card: ' + card.number);", null, 'loose', "log('card: ' + card.number);"],
    [
      'line numbers of a table',
      "  2 | log('card: ' + card.number);\n3 |",
      null,
      'loose',
      "log('card: ' + card.number);",
    ],
    [
      'the marks of a diff',
      "+  log('card: ' + card.number);\n+\n+  send( card",
      null,
      'loose',
      "log('card: ' + card.number);\n\n  send( card",
    ],
    ['a first line that fits', 'send( card,  "now" );\n  audit(card);', null, 'first-line', 'send( card,  "now" );'],
    [
      'a first line after a bracket',
      '{\n  log("card: " + card.number);\n  x();',
      null,
      'first-line',
      "log('card: ' + card.number);",
    ],
    ['nothing of it', 'nowhere();', 4, 'line', 'send( card,  "now" );'],
    ['nothing of it, at a blank line', 'nowhere();', 3, 'line', 'send( card,  "now" );'],
    ['nothing at all', '', 1, 'line', 'function pay(card) {'],
    ['nothing but dots', '… …', 1, 'line', 'function pay(card) {'],
    ['nothing of it, and a line that is not there', 'nowhere();', 90, 'file', ''],
    ['nothing of it, and no line', 'nowhere();', null, 'file', ''],
    ['nothing but brackets', '});', null, 'file', ''],
  ];
  for (const [what, quote, line, kind, found] of cases) {
    it(`takes ${kind === 'file' ? 'the whole file' : `the ${kind} match`} for a quote with ${what}`, () => {
      const place = createLocator(code).locate(quote, line);
      assert.deepEqual([place.kind, place.kind === 'file' ? '' : code.slice(place.start, place.end)], [kind, found]);
    });
  }

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
    assert.equal(locator.locate('a [masked: x] zzz', 1).kind, 'line');
    assert.equal(locator.locate('a... zzz ... a ... zzz', null).kind, 'file');
  });
});
