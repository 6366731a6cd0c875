import { isPauseDue, pause } from '../../../../gate/secrets/pace.ts';

/**
 * Scores how well a name matches the query: 0 if it does not, and more for a better match. The letters must occur in
 * order; letters at the start of a word or next to each other score more, and the file name scores more than its
 * folders.
 */
export function score(query: string, written: string): number {
  const name = written.normalize('NFC');
  const wanted = asName(query).toLowerCase();
  const text = name.toLowerCase();
  if (wanted === '') return 1;
  const base = text.lastIndexOf('/') + 1;
  const whole = text.indexOf(wanted, base);
  if (whole === base) return 4_000 - text.length;
  if (whole > base) return 3_000 - text.length;
  if (text.includes(wanted)) return 2_000 - text.length;
  // The score is always below that of a contiguous match.
  return Math.min(
    1_000,
    Math.max(...[base, 0].flatMap((from) => [true, false].map((at) => walk(wanted, name, from, at)))),
  );
}

/** Returns what is typed as a name has it: on Windows with `\`, and on macOS names may have letters and their marks apart (NFD). */
export function asName(query: string): string {
  return query.normalize('NFC').replaceAll('\\', '/');
}

/** Matches the letters in order; with `atWords`, prefers positions where a word begins. */
function walk(wanted: string, name: string, from: number, atWords: boolean): number {
  const text = name.toLowerCase();
  let points = 0;
  let next = from;
  for (const letter of wanted) {
    const plain = text.indexOf(letter, next);
    if (plain < 0) return 0;
    let at = plain;
    while (atWords && at >= 0 && !beginsWord(name, at)) at = text.indexOf(letter, at + 1);
    if (at < 0) at = plain;
    points += 1 + (at === next ? 4 : 0) + (beginsWord(name, at) ? 6 : 0);
    next = at + letter.length;
  }
  return points + 1 / text.length;
}

function beginsWord(name: string, at: number): boolean {
  const before = name[at - 1];
  if (before === undefined || /[^\p{L}\p{N}]/u.test(before)) return true;
  return /\p{Lu}/u.test(name[at] ?? '') && !/\p{Lu}/u.test(before);
}

/**
 * The best matches of `items`, best first; equal scores keep their order. Lists of files can have ten thousand items, so this
 * yields while it compares them.
 */
export async function best<T>(
  query: string,
  items: readonly T[],
  nameOf: (item: T) => string,
  limit: number,
): Promise<readonly T[]> {
  const fitting: { readonly item: T; readonly points: number }[] = [];
  for (const item of items) {
    if (isPauseDue()) await pause();
    const points = score(query, nameOf(item));
    if (points > 0) fitting.push({ item, points });
  }
  return fitting
    .sort((a, b) => b.points - a.points)
    .slice(0, limit)
    .map(({ item }) => item);
}
