import { Fingerprints } from '../../../src/gate/fingerprints/fingerprints.ts';
import { withoutImports } from '../../../src/gate/fingerprints/imports.ts';
import type { FoundPassage } from '../../../src/gate/fingerprints/passages.ts';
import { Dice } from '../../tools/dice.ts';
import { finished } from '../../tools/processorTime.ts';
import { around, secretIn, valueKinds } from './files.ts';
import { routes } from './routes.ts';

export function indexOf(texts: readonly string[], isCredential: boolean): Fingerprints {
  const prints = new Fingerprints();
  for (const [index, text] of texts.entries()) finished(prints.add({ file: index + 1, text, isCredential }));
  return prints;
}

export function find(prints: Fingerprints, text: string): readonly FoundPassage[] {
  return finished(prints.find(text));
}

/** Lines of a slice; Infinity is the whole file. */
export const lengths = [1, 3, 5, 10, Number.POSITIVE_INFINITY];

/** How many slices were found, of how many. */
export interface Share {
  readonly length: number;
  readonly found: number;
  readonly of: number;
  /** Of those with 60 characters or more that are not in imports, which are not looked for. */
  readonly foundLong: number;
  readonly ofLong: number;
  /** The routes with the smallest shares. */
  readonly worst: readonly (readonly [route: string, percent: number])[];
}

export function measureSlices(
  prints: Fingerprints,
  texts: readonly string[],
  { slices, seed, length }: { readonly slices: number; readonly seed: number; readonly length: number },
): Share {
  const dice = new Dice(seed);
  const own = new Map(texts.map((text) => [text, finished(withoutImports(text)).split('\n')]));
  const total = { found: 0, of: 0, foundLong: 0, ofLong: 0 };
  const byRoute: (readonly [string, number])[] = [];
  for (const [name, route] of Object.entries(routes)) {
    let ofRoute = 0;
    for (let count = 0; count < slices; count += 1) {
      const text = dice.pick(texts);
      const { lines, from } = sliceOf(text, length, dice);
      const sent = around[0] + route(lines, dice) + around[1];
      const isFound = find(prints, sent).length > 0;
      const isLong = (own.get(text) ?? []).slice(from, from + lines.length).join('\n').length >= 60;
      total.of += 1;
      if (isLong) total.ofLong += 1;
      if (isFound) total.found += 1;
      if (isFound && isLong) total.foundLong += 1;
      if (isFound) ofRoute += 1;
    }
    byRoute.push([name, (100 * ofRoute) / slices]);
  }
  const worst = byRoute.sort(([, a], [, b]) => a - b).slice(0, 3);
  return { length, ...total, worst };
}

/** Lines in a row that have some text. */
function sliceOf(
  text: string,
  length: number,
  dice: Dice,
): { readonly lines: readonly string[]; readonly from: number } {
  const lines = text.split('\n');
  if (length >= lines.length) return { lines, from: 0 };
  for (let tries = 0; tries < 50; tries += 1) {
    const from = dice.below(lines.length - length + 1);
    const slice = lines.slice(from, from + length);
    if (slice.join('').trim() !== '') return { lines: slice, from };
  }
  return { lines, from: 0 };
}

/** The share of single values that are found, for each kind, in percent. */
export function measureValues(count: number, seed: number): Readonly<Record<string, number>> {
  const dice = new Dice(seed);
  const uses: readonly ((value: string) => string)[] = [
    (value) => `const password = '${value}';`,
    (value) => `curl -H "Authorization: Bearer ${value}" https://api.example.com`,
    (value) => `the value is ${value}, as far as I can see`,
    (value) => JSON.stringify({ value }),
    (value) => `--from-literal=key=${value}`,
  ];
  const shares: Record<string, number> = {};
  for (const [kind, [name, make]] of Object.entries(valueKinds)) {
    let found = 0;
    for (let index = 0; index < count; index += 1) {
      const value = make(dice);
      const prints = indexOf([`A=1\n${name}=${value}\n`], true);
      if (find(prints, around[0] + dice.pick(uses)(secretIn(value))).length > 0) found += 1;
    }
    shares[kind] = (100 * found) / count;
  }
  return shares;
}
