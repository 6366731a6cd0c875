import { gramLength, type Normal } from './normal.ts';
import { tokensIn } from './values.ts';
import { unprefixedRoom, withoutPrefixes } from './withoutPrefixes.ts';

type Reading = Pick<Normal, 'units' | 'at'>;

/** A text of a file as it is, and without what may be prefixes of its lines. */
export function readingsOf(normal: Normal): readonly Reading[] {
  if (normal.prefixes.length === 0) return [normal];
  const { units, origins } = withoutPrefixes(normal, 'all', unprefixedRoom(normal.units.length));
  return [normal, { units, at: origins.map((index) => normal.at[index] ?? 0) }];
}

/** No tokens. */
export function* none(): Generator<number> {}

/** The positions of the grams inside random-looking words, in order. */
export function* tokenGrams(text: string, { at }: Reading): Generator<number> {
  let from = 0;
  for (const { start, end } of tokensIn(text)) {
    while (from < at.length && (at[from] ?? 0) < start) from += 1;
    for (; from + gramLength <= at.length && (at[from + gramLength - 1] ?? 0) < end; from += 1) yield from;
  }
}
