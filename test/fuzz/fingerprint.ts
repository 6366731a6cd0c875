import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { passagesIn, withPassagesLeftOut } from '../../src/gate/fingerprints/leaveOut.ts';
import { normalize } from '../../src/gate/fingerprints/normal.ts';
import { Dice } from '../tools/dice.ts';
import { finished } from '../tools/processorTime.ts';
import { around, environmentFile, secretIn, sourceText, tables, valueKinds } from './fingerprint/files.ts';
import { find, indexOf, lengths, measureSlices, measureValues, type Share } from './fingerprint/measure.ts';
import { routes, valueRoutes } from './fingerprint/routes.ts';
import { checkInTime, type Group, type Property } from './group.ts';

/** The smallest shares in percent. With few slices, chance is given as much as it may have. */
const bars = { value: 99, wholeEnvironment: 100, fiveLines: { environment: 98, source: 95 } };

const dice = new Dice(5);
const environments = Array.from({ length: 100 }, () => environmentFile(dice));
const sources = globSync('src/**/*.ts', { cwd: `${import.meta.dirname}/../..` })
  .toSorted()
  .filter((_, index) => index % 2 === 0)
  .map(sourceText);

const allRoutes = Object.values(routes);

/** 59 routes with five lengths; 59,000 inputs are 200 slices of each. */
const slices =
  (
    texts: readonly string[],
    isCredential: boolean,
    assertBars: (shares: ReadonlyMap<number, Share>, luck: number) => void,
  ): Property['check'] =>
  async (runs, seed) => {
    const each = Math.max(1, Math.round(runs / Object.keys(routes).length / lengths.length));
    const prints = indexOf(texts, isCredential);
    const shares = new Map<number, Share>();
    for (const length of lengths) shares.set(length, measureSlices(prints, texts, { slices: each, seed, length }));
    assertBars(shares, each < 20 ? 5 : 0);
    const percent = (found: number, of: number): string => ((100 * found) / Math.max(1, of)).toFixed(1);
    return `${each} slices of each route; in percent, all and those with 60 characters:\n${[...shares.values()]
      .map(({ length, found, of, foundLong, ofLong, worst }) => {
        const rest = worst.map(([name, share]) => `${name} ${share.toFixed(0)}`).join(', ');
        return `  ${length === Number.POSITIVE_INFINITY ? 'whole' : `${length} lines`}: ${percent(found, of)}, ${percent(foundLong, ofLong)}; least: ${rest}`;
      })
      .join('\n')}`;
  };

function shareOfLong(shares: ReadonlyMap<number, Share>, length: number): number {
  const share = shares.get(length) ?? assert.fail();
  return (100 * share.foundLong) / share.ofLong;
}

const line = fc.string({
  unit: fc.constantFrom(...'abcXYZ019 _-=:."\'\\%&/\t'.split(''), 'ß', '\u200b'),
  maxLength: 60,
});

/** The values that environmentFile() has drawn, read from its text by their names alone. */
function valuesIn(file: string): readonly string[] {
  const names = Object.values(valueKinds).map(([name]) => name);
  const assigned = new RegExp(`^(?:[A-Z]+_)?(?:${names.join('|')})="?([^"\\n]+)"?$`, 'gm');
  const values = [...file.matchAll(assigned)].map(([, value = '']) => secretIn(value));
  assert.ok(values.length > 0);
  return values;
}

/** Here, a row is a run by itself, and shorter than one that is recognized: other text or other rows follow it. */
const rowsApart = new Set(['reordered', 'reversed', 'HTML, in a table', 'JSON objects of lines']);

export const fingerprint: Group = {
  name: 'fingerprint',
  testRuns: 20_000,
  properties: [
    {
      name: 'slices of files with credentials',
      share: 0.059,
      check: slices(environments, true, (shares, luck) => {
        assert.ok(shareOfLong(shares, Number.POSITIVE_INFINITY) >= bars.wholeEnvironment, inspect(shares));
        assert.ok(shareOfLong(shares, 5) >= bars.fiveLines.environment - luck, inspect(shares));
      }),
    },
    {
      name: 'slices of source files',
      share: 0.059,
      check: slices(sources, false, (shares, luck) => {
        assert.ok(shareOfLong(shares, 5) >= bars.fiveLines.source - luck, inspect(shares));
      }),
    },
    {
      name: 'single values',
      share: 0.022,
      async check(runs, seed) {
        const each = Math.max(1, Math.round(runs / Object.keys(valueKinds).length));
        const shares = measureValues(each, seed);
        const least = Math.min(...Object.values(shares));
        assert.ok(least >= bars.value - (each < 100 ? 5 : 0), inspect(shares));
        return `${each} of each kind, in percent: ${Object.entries(shares)
          .map(([kind, share]) => `${kind} ${share.toFixed(1)}`)
          .join(', ')}`;
      },
    },
    {
      name: 'any text is searched without an error, and what is left after leaving out has nothing of the file',
      share: 0.05,
      check: checkInTime(
        fc.asyncProperty(fc.array(line, { maxLength: 12 }), fc.nat(), fc.nat(), async (lines, seed, place) => {
          const file = environments[seed % environments.length] ?? '';
          const prints = indexOf([file], true);
          const route = allRoutes[place % allRoutes.length] ?? assert.fail();
          const inside = route(file.split('\n').slice(seed % 7, (seed % 7) + 1 + (place % 9)), new Dice(seed));
          const text = [...lines.slice(0, place % 5), inside, ...lines.slice(place % 5)].join('\n');
          const passages = finished(passagesIn(text, find(prints, text), () => 'a'));
          const left = finished(withPassagesLeftOut(text, passages));
          assert.deepEqual(find(prints, left), [], JSON.stringify({ text, left }));
        }),
      ),
    },
    {
      name: 'of a whole file with credentials, no value is left, letter for letter',
      share: 0.05,
      check: checkInTime(
        fc.asyncProperty(fc.array(line, { maxLength: 6 }), fc.nat(), fc.nat(), async (lines, seed, place) => {
          const file = environments[seed % environments.length] ?? '';
          const prints = indexOf([file], true);
          const route = allRoutes[place % allRoutes.length] ?? assert.fail();
          const text = [...lines, '', '', '', route(file.split('\n'), new Dice(seed)), '', '', '', ...lines].join('\n');
          const passages = finished(passagesIn(text, find(prints, text), () => 'a'));
          const left = finished(withPassagesLeftOut(text, passages));
          for (const value of valuesIn(file)) assert.ok(!left.includes(value), JSON.stringify({ value, text, left }));
        }),
      ),
    },
    {
      name: 'of a table, no row is left on any route that keeps the rows together',
      share: 0.05,
      check: checkInTime(
        fc.asyncProperty(
          fc.constantFrom(...Object.entries(tables)),
          fc.constantFrom(...Object.entries(routes).filter(([name]) => !rowsApart.has(name))),
          fc.boolean(),
          fc.nat(),
          async ([kind, make], [name, route], isCredential, seed) => {
            const dice = new Dice(seed);
            const file = make(dice);
            const prints = indexOf([file], isCredential);
            const lines = file.trimEnd().split('\n');
            const sent = around[0] + route(lines, dice) + around[1];
            const left = finished(withPassagesLeftOut(sent, finished(passagesIn(sent, find(prints, sent), () => 'a'))));
            // Widened by two lines: of 12 rows, there are the marks and perhaps the heads.
            assert.ok(
              left.length <= around.join('').length + 160,
              JSON.stringify({ kind, name, isCredential, sent, left }),
            );
          },
        ),
      ),
    },
    {
      name: 'no value of a file with credentials is left in a table',
      share: 0.05,
      check: checkInTime(
        fc.asyncProperty(
          fc.constantFrom(...environments),
          fc.constantFrom(...Object.entries(valueRoutes)),
          fc.nat(),
          async (file, [name, route], seed) => {
            const sent = around[0] + route(file.trimEnd().split('\n'), new Dice(seed)) + around[1];
            const prints = indexOf([file], true);
            const left = finished(withPassagesLeftOut(sent, finished(passagesIn(sent, find(prints, sent), () => 'a'))));
            for (const value of valuesIn(file)) {
              assert.ok(!left.includes(value), JSON.stringify({ name, value, sent, left }));
            }
          },
        ),
      ),
    },
    {
      name: 'each unit of a reduced text is where it says',
      share: 0.3,
      check: checkInTime(
        fc.asyncProperty(fc.array(line, { maxLength: 12 }), async (lines) => {
          const text = lines.join('\n');
          const { units, at } = finished(normalize(text));
          let before = -1;
          for (const [index, unit] of units.entries()) {
            const place = at[index] ?? -1;
            assert.ok(place > before);
            before = place;
            if (!'\\%&'.includes(text[place] ?? ''))
              assert.equal(text[place]?.toLowerCase(), String.fromCharCode(unit));
          }
        }),
      ),
    },
  ],
};
