/** The values of `kinds`, for each ASCII character. */
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

/** For each ASCII character, its normalized form: letters become lower case. */
export const lowered: Uint8Array = Uint8Array.from({ length: 128 }, (_, unit) =>
  String.fromCharCode(unit).toLowerCase().charCodeAt(0),
);

// The functions below read a text as UTF-16 units with a 0 after its end, which ends every search for another character.

export function isHex(unit: number): boolean {
  return (unit >= 48 && unit <= 57) || (unit >= 97 && unit <= 102) || (unit >= 65 && unit <= 70);
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

function isLetterOrDigit(unit: number): boolean {
  return unit < 128 && kinds[unit] === letterOrDigit;
}

/** The end of the digits at an offset; reads at most `most` of them. */
export function digitEnd(text: Uint16Array, from: number, most: number): number {
  let at = from;
  while (at < from + most && isDigit(text[at] ?? 0)) at += 1;
  return at;
}

/** More parts than a listing adds before a line. */
const mostPrefixes = 4;
/** A line number has no more digits. */
const mostDigits = 7;
/** The maximum length of a path before a line; a longer one is not recognized. */
const longestPath = 200;

/**
 * Where the text of a line begins, after what a listing or a search puts before it: `12: `, `12 | `, `src/a.ts:12:`,
 * `src/a.ts-12-`, `src/a.ts:`, `app-1  | `. `length`: of the whole text.
 */
export function afterPrefix(text: Uint16Array, from: number, length: number): number {
  let at = from;
  for (let count = 0; count < mostPrefixes; count += 1) {
    while (at < length && isDropped(text[at] ?? 0)) at += 1;
    const unit = text[at] ?? 0;
    if (at >= length || unit === newLine || unit === carriageReturn) return at;
    const end = isDigit(unit) ? afterNumber(text, at) : afterPath(text, at);
    if (end === at) return at;
    at = end;
  }
  return at;
}

/** A line without the prefix that a listing or a search adds. */
export function withoutPrefix(line: string): string {
  const units = Uint16Array.from({ length: line.length + 1 }, (_, at) => line.charCodeAt(at));
  return line.slice(afterPrefix(units, 0, line.length));
}

function isDropped(unit: number): boolean {
  return unit < 128 && kinds[unit] === dropped;
}

function afterNumber(text: Uint16Array, from: number): number {
  const end = digitEnd(text, from, mostDigits);
  return isLetterOrDigit(text[end] ?? 0) ? from : end;
}

const [newLine, carriageReturn, space, dash, dot, slash, colon, bar] = [10, 13, 32, 45, 46, 47, 58, 124];
const backslash = 92;

/** 1 for each other character of paths and of names of services. */
const ofPath: Uint8Array = Uint8Array.from({ length: 128 }, (_, unit) =>
  Number(/[A-Za-z0-9_@~+]/.test(String.fromCharCode(unit))),
);

function afterPath(text: Uint16Array, from: number): number {
  // `./` was dropped already.
  const before = from === 0 ? 0 : text[from - 1];
  let isPath = before === dot || before === slash;
  for (let at = from; at < from + longestPath; at += 1) {
    const unit = text[at] ?? 0;
    if (unit < 128 && ofPath[unit] === 1) continue;
    if (unit === dot || unit === slash || unit === backslash) isPath = true;
    else if (unit === dash) {
      const end = isPath ? digitEnd(text, at + 1, mostDigits) : at;
      if (end > at + 1 && text[end] === dash) return end + 1;
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
  const end = digitEnd(text, at + 1, mostDigits);
  const after = text[end] ?? 0;
  if (end > at + 1 && (after === colon || after === dash || isSpace(after))) return end;
  const next = text[at + 1] ?? 0;
  return isPath && next !== 0 && next !== slash && !isSpace(next) ? at + 1 : from;
}

/** What `\s` means in a regular expression. */
function isSpace(unit: number): boolean {
  if (unit < 128) return unit === space || (unit >= 9 && unit <= 13);
  return /\s/.test(String.fromCharCode(unit));
}
