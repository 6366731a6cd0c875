import type { Span } from '../../util/text/span.ts';
import { windowLength } from './matches.ts';

/** A set of ASCII characters: 1 at the code of each. */
type CharacterSet = Uint8Array;

const asciiSize = 128;

/** The characters of a character class, such as `A-Z+/`. */
export function characterSet(characterClass: string): CharacterSet {
  const pattern = new RegExp(`[${characterClass}]`);
  return Uint8Array.from({ length: asciiSize }, (_, code) => Number(pattern.test(String.fromCharCode(code))));
}

/** Whether a unit is in the set. NaN, which charCodeAt() returns past the end of a text, is in no set. */
export function isIn(set: CharacterSet, unit: number): boolean {
  return unit < asciiSize && set[unit] === 1;
}

/** A buffer for a part of a text as numbers, which are read faster than a string: one window and a margin. */
const margin = 1024;
const units = new Uint16Array(windowLength + margin);
const bytes = Buffer.from(units.buffer);

interface Wanted {
  /** The runs begin at or after `from` and before `to`. */
  readonly from: number;
  readonly to: number;
  /** The minimum length of a run, at most `margin`. */
  readonly minLength: number;
  /** The maximum length of a run; the rest of a longer one may be the next run. */
  readonly maxLength: number;
}

/** The runs of at least `minLength` characters of the set, in order. */
export function runsIn(text: string, set: CharacterSet, { from, to, minLength, maxLength }: Wanted): readonly Span[] {
  const runs: Span[] = [];
  let part = from;
  while (part < to) {
    const partEnd = Math.min(to, part + windowLength);
    const length = Math.min(text.length, partEnd + margin) - part;
    bytes.write(text.slice(part, part + length), 'utf16le');
    let next = 0;
    for (;;) {
      const start = nextRun(set, next, partEnd - part, minLength);
      if (start < 0 || start + minLength > length) break;
      next = endOfRun(set, start + minLength, Math.min(length, start + maxLength));
      while (next >= length && next < start + maxLength && isIn(set, text.charCodeAt(part + next))) next += 1;
      runs.push({ start: part + start, end: part + next });
    }
    part = Math.max(partEnd, part + next);
  }
  return runs;
}

/**
 * The start of the next run in `units`, or -1 if no run begins before `before`. A possible run is read from its last character
 * to its first, as in the search of Boyer and Moore: the text before a character that is not in the set need not be read.
 */
function nextRun(set: CharacterSet, from: number, before: number, minLength: number): number {
  let start = from;
  // The characters from `start` to `known` are in the set.
  let known = from;
  while (start < before) {
    const end = start + minLength;
    let at = end - 1;
    while (at >= known && isIn(set, units[at] ?? 0)) at -= 1;
    if (at < known) return start;
    start = at + 1;
    known = end;
  }
  return -1;
}

function endOfRun(set: CharacterSet, from: number, limit: number): number {
  let end = from;
  while (end < limit && isIn(set, units[end] ?? 0)) end += 1;
  return end;
}
