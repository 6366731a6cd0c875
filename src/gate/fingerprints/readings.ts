import { commonIn, type Span } from './commonWords.ts';
import { gramLength, type Normal } from './normal.ts';
import { tokensIn } from './values.ts';
import { unprefixedRoom, withoutPrefixes } from './withoutPrefixes.ts';

type Reading = Pick<Normal, 'units' | 'at'>;

/** The ways to read a file: with the possible prefixes of its lines, and without them. */
export function readingsOf(normal: Normal): readonly Reading[] {
  if (normal.prefixes.length === 0) return [normal];
  const { units, origins } = withoutPrefixes(normal, 'all', unprefixedRoom(normal.units.length));
  return [normal, { units, at: origins.map((index) => normal.at[index] ?? 0) }];
}

/** The marks of grams: `token` for a gram inside a random-looking word, `common` for a gram of common words only. */
export const marks = { token: 1, common: 2 };

/** The number of units that are marked between two chances to pause. */
const unitsAtOnce = 64 * 1024;

/** Returns the marks of each gram. Common words are marked if `common` is set. Yields null where it may pause. */
export function* marksOf(text: string, { at }: Reading, common: boolean): Generator<null, Uint8Array> {
  const marked = new Uint8Array(at.length);
  yield* mark(marked, at, tokensIn(text), marks.token);
  if (common) yield* mark(marked, at, commonIn(text), marks.common);
  return marked;
}

function* mark(marked: Uint8Array, at: Uint32Array, spans: Iterable<Span | null>, bits: number): Generator<null> {
  let [from, pause] = [0, unitsAtOnce];
  for (const span of spans) {
    if (span === null || from >= pause) {
      yield null;
      pause = from + unitsAtOnce;
    }
    if (span === null) continue;
    while (from < at.length && (at[from] ?? 0) < span.start) from += 1;
    for (; from + gramLength <= at.length && (at[from + gramLength - 1] ?? 0) < span.end; from += 1) {
      marked[from] = (marked[from] ?? 0) | bits;
    }
  }
}
