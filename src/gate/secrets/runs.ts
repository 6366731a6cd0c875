import type { Span } from '../../util/text/span.ts';

/** Some of the ASCII characters: 1 at their code. */
type CharacterSet = Uint8Array;

const asciiSize = 128;

/** The characters of a character class, such as `A-Z+/`. */
export function characterSet(characterClass: string): CharacterSet {
  const pattern = new RegExp(`[${characterClass}]`);
  return Uint8Array.from({ length: asciiSize }, (_, code) => Number(pattern.test(String.fromCharCode(code))));
}

/** False for the NaN past the end of a text. */
export function isIn(set: CharacterSet, unit: number): boolean {
  return unit < asciiSize && set[unit] === 1;
}

/**
 * The first run of at least `shortest` characters of the set that begins at or after `from` and before `to`; null if
 * there is none. Its end is at most `longest` characters after its start. Only every `shortest`th character is looked
 * at, until one is in the set: a run covers one of them.
 */
export function nextRun(
  text: string,
  set: CharacterSet,
  { from, to, shortest, longest }: { from: number; to: number; shortest: number; longest: number },
): Span | null {
  for (let probe = from + shortest - 1; probe < to + shortest; probe += shortest) {
    if (!isIn(set, text.charCodeAt(probe))) continue;
    let start = probe;
    while (start > from && isIn(set, text.charCodeAt(start - 1))) start -= 1;
    if (start >= to) return null;
    let end = probe + 1;
    while (end < start + shortest && isIn(set, text.charCodeAt(end))) end += 1;
    if (end === start + shortest) return { start, end: endOfRun(text, set, end, start + longest) };
    probe = end;
  }
  return null;
}

function endOfRun(text: string, set: CharacterSet, from: number, most: number): number {
  let end = from;
  while (end < most && isIn(set, text.charCodeAt(end))) end += 1;
  return end;
}
