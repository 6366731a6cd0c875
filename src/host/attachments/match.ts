/**
 * How well a name fits what was typed: 0 where it does not, more where it fits better. The letters must come in their
 * order; those that begin a word or follow each other count more, and the file's own name more than its folders.
 */
export function score(query: string, name: string): number {
  const wanted = query.toLowerCase();
  const text = name.toLowerCase();
  if (wanted === '') return 1;
  const base = text.lastIndexOf('/') + 1;
  const whole = text.indexOf(wanted, base);
  if (whole === base) return 4_000 - text.length;
  if (whole > base) return 3_000 - text.length;
  if (text.includes(wanted)) return 2_000 - text.length;
  // Always below what has the letters side by side.
  return Math.min(
    1_000,
    Math.max(...[base, 0].flatMap((from) => [true, false].map((at) => walk(wanted, name, from, at)))),
  );
}

/** Finds the letters one after the other; with `atWords`, each where a word begins if there is such a place. */
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

/** The best of `items`, best first; what is equal stays in its order. */
export function best<T>(query: string, items: readonly T[], nameOf: (item: T) => string, limit: number): readonly T[] {
  return items
    .map((item) => ({ item, points: score(query, nameOf(item)) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
    .slice(0, limit)
    .map(({ item }) => item);
}
