/**
 * Returns the first places, at most `limit`, where some lines occur among others, with the algorithm of Knuth, Morris
 * and Pratt.
 */
export function occurrences(lines: readonly string[], wanted: readonly string[], limit = 2): readonly number[] {
  if (wanted.length === 0) return [];
  const back = [0];
  for (let at = 1, length = 0; at < wanted.length; at += 1) {
    while (length > 0 && wanted[at] !== wanted[length]) length = back[length - 1] ?? 0;
    if (wanted[at] === wanted[length]) length += 1;
    back.push(length);
  }
  const found: number[] = [];
  for (let at = 0, length = 0; at < lines.length && found.length < limit; at += 1) {
    while (length > 0 && lines[at] !== wanted[length]) length = back[length - 1] ?? 0;
    if (lines[at] === wanted[length]) length += 1;
    if (length < wanted.length) continue;
    found.push(at - wanted.length + 1);
    length = back[length - 1] ?? 0;
  }
  return found;
}
