/** The values of `codes` that are not a letter or a digit; 0 is dropped. */
export const lineEnd = 1;
export const escapeStart = 2;

/** For each ASCII character: the unit it becomes (a letter in lower case, a digit), or one of the values above. */
export const codes: Uint8Array = Uint8Array.from({ length: 128 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  if (/[A-Za-z0-9]/.test(character)) return character.toLowerCase().charCodeAt(0);
  if (/[\r\n]/.test(character)) return lineEnd;
  return '\\%&\u001b'.includes(character) ? escapeStart : 0;
});

export function isHex(unit: number): boolean {
  return (unit >= 48 && unit <= 57) || (unit >= 97 && unit <= 102) || (unit >= 65 && unit <= 70);
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

function isLetterOrDigit(unit: number): boolean {
  return unit < 128 && (codes[unit] ?? 0) > escapeStart;
}

/** Where the digits at an offset end; at most `most` of them. */
export function digitEnd(text: string, from: number, most: number): number {
  let at = from;
  while (at < from + most && isDigit(text.charCodeAt(at))) at += 1;
  return at;
}

/** More parts than a listing puts before a line. */
const mostPrefixes = 4;
/** A line number has no more digits. */
const mostDigits = 7;
/** A longer path before a line is not recognized. */
const longestPath = 200;

/**
 * Where the text of a line begins, after what a listing or a search puts before it: `12: `, `12 | `, `src/a.ts:12:`,
 * `src/a.ts-12-`, `src/a.ts:`, `app-1  | `.
 */
export function afterPrefix(text: string, from: number): number {
  let at = from;
  for (let count = 0; count < mostPrefixes; count += 1) {
    while (at < text.length && codes[text.charCodeAt(at)] === 0) at += 1;
    const unit = text.charCodeAt(at);
    if (unit === newLine || unit === carriageReturn) return at;
    const end = isDigit(unit) ? afterNumber(text, at) : afterPath(text, at);
    if (end === at) return at;
    at = end;
  }
  return at;
}

function afterNumber(text: string, from: number): number {
  const end = digitEnd(text, from, mostDigits);
  return isLetterOrDigit(text.charCodeAt(end)) ? from : end;
}

const [newLine, carriageReturn, space, dash, dot, slash, colon, bar] = [10, 13, 32, 45, 46, 47, 58, 124];
const backslash = 92;
/** Other characters of paths and of names of services. */
const ofPath: ReadonlySet<number> = new Set([...'_@~+'].map((one) => one.charCodeAt(0)));

function afterPath(text: string, from: number): number {
  // `./` was dropped already.
  const before = text.charCodeAt(from - 1);
  let isPath = before === dot || before === slash;
  for (let at = from; at < from + longestPath; at += 1) {
    const unit = text.charCodeAt(at);
    if (isLetterOrDigit(unit) || ofPath.has(unit)) continue;
    if (unit === dot || unit === slash || unit === backslash) isPath = true;
    else if (unit === dash) {
      const end = isPath ? digitEnd(text, at + 1, mostDigits) : at;
      if (end > at + 1 && text.charCodeAt(end) === dash) return end + 1;
    } else if (unit === colon) {
      const isDrive = at === from + 1 && text.charCodeAt(at + 1) === backslash;
      if (!isDrive) return afterColon(text, from, at, isPath);
    } else return unit === space || unit === bar ? afterBar(text, from, at) : from;
  }
  return from;
}

function afterBar(text: string, from: number, end: number): number {
  let at = end;
  while (text.charCodeAt(at) === space) at += 1;
  return text.charCodeAt(at) === bar && at > from ? at + 1 : from;
}

function afterColon(text: string, from: number, at: number, isPath: boolean): number {
  const end = digitEnd(text, at + 1, mostDigits);
  if (end > at + 1 && /[:\s-]/.test(text[end] ?? '')) return end;
  return isPath && /[^\s/]/.test(text[at + 1] ?? '') ? at + 1 : from;
}
