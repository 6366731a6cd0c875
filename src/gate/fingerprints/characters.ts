/** The values in `kinds`, which has one for each ASCII character. */
export const dropped = 0;
export const letterOrDigit = 1;
export const lineEnd = 2;
const escapeStart = 3;

export const kinds: Uint8Array = Uint8Array.from({ length: 128 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  if (/[A-Za-z0-9]/.test(character)) return letterOrDigit;
  if (/[\r\n]/.test(character)) return lineEnd;
  return '\\%&\u001b'.includes(character) ? escapeStart : dropped;
});

/** The value in `normalized` of a line break and of the start of an escape: no ASCII character has it. */
const notPlain = 255;

/** The normalized form of each ASCII character: letters become lower case, and 0 stands for one that is dropped. */
export const normalized: Uint8Array = kinds.map((kind, unit) => {
  if (kind === letterOrDigit) return String.fromCharCode(unit).toLowerCase().charCodeAt(0);
  return kind === dropped ? 0 : notPlain;
});

// These functions read a text as UTF-16 units with a 0 after its end, which ends every search for another character.

export function isHex(unit: number): boolean {
  return (unit >= 48 && unit <= 57) || (unit >= 97 && unit <= 102) || (unit >= 65 && unit <= 70);
}

/** Whether a unit is a letter from Greek on, and not punctuation or an invisible character. */
export function isLetter(unit: number): boolean {
  if (unit < 0x370) return false;
  const isMark = (unit >= 0x2000 && unit < 0x2c00) || (unit >= 0x3000 && unit < 0x3040);
  return !isMark && !(unit >= 0xfe00 && unit < 0xfe70) && !(unit >= 0xff00 && unit < 0xff10) && unit < 0xfff0;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

function isLetterOrDigit(unit: number): boolean {
  return unit < 128 && kinds[unit] === letterOrDigit;
}

/** The end of the digits at an offset; reads at most `max` digits. */
export function digitEnd(text: Uint16Array, from: number, max: number): number {
  let at = from;
  while (at < from + max && isDigit(text[at] ?? 0)) at += 1;
  return at;
}

/** The maximum number of parts in a prefix; a listing adds fewer. */
const maxPrefixes = 4;
/** The maximum number of digits in a line number. */
const maxDigits = 7;
/** The maximum length of a path before a line; a longer one is not recognized. */
const maxPathLength = 200;

/** The offsets where the parts of a prefix end. Each is -1 if there is no prefix. */
export interface PrefixEnds {
  /** The end of the first part without a number after its path, because the number may belong to the text. */
  path: number;
  first: number;
  last: number;
}

/**
 * Finds a possible prefix of a line, as a listing or a search adds it: up to four of `12: `, `12 | `, `src/a.ts:12:`,
 * `src/a.ts-12-`, `src/a.ts:`, `app-1 | `. A table of numbers looks the same. `length` is the length of the whole text.
 */
export function findPrefix(text: Uint16Array, from: number, length: number, ends: PrefixEnds): void {
  ends.path = -1;
  ends.first = -1;
  ends.last = -1;
  let at = from;
  for (let count = 0; count < maxPrefixes; count += 1) {
    at = afterDropped(text, at, length);
    const unit = text[at] ?? 0;
    if (at >= length || unit === newLine || unit === carriageReturn) return;
    numberStart = -1;
    const end = isDigit(unit) ? afterNumber(text, at) : afterPath(text, at);
    if (end === at) return;
    at = end;
    if (count === 0) {
      ends.path = numberStart === -1 ? end : numberStart;
      ends.first = end;
    }
    ends.last = end;
  }
}

/** The parts of a possible prefix that do not belong to the text. */
export type IgnoredPrefixes = 'path' | 'first' | 'all';

/** Removes a possible prefix from a line. */
export function withoutPrefix(line: string, parts: IgnoredPrefixes = 'all'): string {
  const units = Uint16Array.from({ length: line.length + 1 }, (_, at) => line.charCodeAt(at));
  const ends = { path: -1, first: -1, last: -1 };
  findPrefix(units, 0, line.length, ends);
  const end = parts === 'all' ? ends.last : ends[parts];
  return line.slice(afterDropped(units, Math.max(0, end), line.length));
}

function afterDropped(text: Uint16Array, from: number, length: number): number {
  let at = from;
  while (at < length && isDropped(text[at] ?? 0)) at += 1;
  return at;
}

function isDropped(unit: number): boolean {
  return unit < 128 && kinds[unit] === dropped;
}

function afterNumber(text: Uint16Array, from: number): number {
  const end = digitEnd(text, from, maxDigits);
  return isLetterOrDigit(text[end] ?? 0) ? from : end;
}

const [newLine, carriageReturn, space, dash, dot, slash, colon, bar] = [10, 13, 32, 45, 46, 47, 58, 124];
const backslash = 92;

/** Holds 1 for each character that paths and names of services have, except `.`, `/` and `-`. */
const pathCharacters: Uint8Array = Uint8Array.from({ length: 128 }, (_, unit) =>
  Number(/[A-Za-z0-9_@~+]/.test(String.fromCharCode(unit))),
);

/** A second result of afterPath(): the offset of the number after the path, or -1 if there is none. */
let numberStart = -1;

function afterPath(text: Uint16Array, from: number): number {
  // The `./` before the path was already dropped.
  const before = from === 0 ? 0 : text[from - 1];
  let isPath = before === dot || before === slash;
  for (let at = from; at < from + maxPathLength; at += 1) {
    const unit = text[at] ?? 0;
    if (unit < 128 && pathCharacters[unit] === 1) continue;
    if (unit === dot || unit === slash || unit === backslash) isPath = true;
    else if (unit === dash) {
      const end = isPath ? digitEnd(text, at + 1, maxDigits) : at;
      if (end > at + 1 && text[end] === dash) {
        numberStart = at + 1;
        return end + 1;
      }
    } else if (unit === colon) {
      const isDrive = at === from + 1 && text[at + 1] === backslash;
      if (!isDrive) return afterColon(text, from, at, isPath);
    } else return unit === space || unit === bar ? afterBar(text, from, at) : from;
  }
  return from;
}

function afterBar(text: Uint16Array, from: number, end: number): number {
  let at = end;
  while (text[at] === space) at += 1;
  return text[at] === bar && at > from ? at + 1 : from;
}

function afterColon(text: Uint16Array, from: number, at: number, isPath: boolean): number {
  const end = digitEnd(text, at + 1, maxDigits);
  const after = text[end] ?? 0;
  if (end > at + 1 && (after === colon || after === dash || isSpace(after))) {
    numberStart = at + 1;
    return end;
  }
  const next = text[at + 1] ?? 0;
  return isPath && next !== 0 && next !== slash ? at + 1 : from;
}

/** Whether `\s` matches a unit in a regular expression. */
function isSpace(unit: number): boolean {
  if (unit < 128) return unit === space || (unit >= 9 && unit <= 13);
  return /\s/.test(String.fromCharCode(unit));
}

/** The value of hexadecimal digits, or -1 if there is another character. */
export function hexAt(text: Uint16Array, from: number, to: number): number {
  let code = 0;
  for (let at = from; at < to; at += 1) {
    const unit = text[at] ?? 0;
    if (!isHex(unit)) return -1;
    code = code * 16 + (unit <= 57 ? unit - 48 : (unit & 15) + 9);
  }
  return code;
}

export function startsWith(text: Uint16Array, at: number, units: readonly number[]): boolean {
  for (let index = 0; index < units.length; index += 1) if (text[at + index] !== units[index]) return false;
  return true;
}

export function charactersOf(text: string): readonly number[] {
  return Array.from(text, (character) => character.charCodeAt(0));
}
