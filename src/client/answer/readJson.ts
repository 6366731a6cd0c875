import { ServiceError } from '../../util/errors.ts';

/** The maximum size in bytes of one JSON text that is read as a whole; far above any real one. */
export const maxJsonBytes = 10 * 1024 * 1024;
/**
 * The maximum number of values in one JSON text: they take some 30 bytes of memory for each byte of `[],[],...`. An answer has
 * a few dozen.
 */
const maxValues = 20_000;
/** The length up to which values are not counted: a shorter text cannot have too many. */
const harmlessChars = 64 * 1024;

/**
 * Parses a JSON text; returns undefined if it is invalid, because the parser's own message would quote it. Throws a
 * ServiceError (`protocol`, code `too-long`) if the value would take too much memory.
 */
export function readJson(text: string, maxCount = maxValues): unknown {
  if (text.length > maxJsonBytes || (text.length > harmlessChars && countValues(text, maxCount) > maxCount))
    throw tooLong();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The error for input that exceeds the limit. Every view that shows an answer has a message for `too-long`. */
export function tooLong(what = 'The answer'): ServiceError {
  return new ServiceError('protocol', `${what} is too long.`, { code: 'too-long' });
}

/** Counts commas and opening brackets outside of strings, about one per value. Stops above `maxCount`. */
function countValues(text: string, maxCount: number): number {
  let count = 0;
  for (let at = 0; at < text.length && count <= maxCount; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at);
    else if (code === 0x2c || code === 0x5b || code === 0x7b) count += 1;
  }
  return count;
}

/** Whether the text ends inside a string, an object or a list, as truncated JSON does. */
export function isCutShort(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = endOfString(text, at);
      if (at === text.length) return true;
    } else if (code === 0x5b || code === 0x7b) depth += 1;
    else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return depth > 0;
}

const nonNumber = /-?(?:NaN|Infinity)/g;

/** The text with null for each NaN and Infinity outside of its strings: Python writes them into JSON. */
export function withoutNonNumbers(text: string): string {
  let result = '';
  let at = 0;
  while (at < text.length) {
    const start = text.indexOf('"', at);
    const end = start === -1 ? text.length : start;
    result += text.slice(at, end).replaceAll(nonNumber, 'null');
    at = start === -1 ? text.length : endOfString(text, start) + 1;
    if (start !== -1) result += text.slice(start, at);
  }
  return result;
}

/** The index of the quote that ends the string starting at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return text.length;
}
