import { afterPrefix, codes, digitEnd, escapeStart, isHex, lineEnd } from './characters.ts';

/** A text without what changes on its way: its letters and digits, in lower case. */
export interface Normal {
  /** UTF-16 units; ASCII letters in lower case. */
  readonly units: Uint16Array;
  /** The offset of each unit in the text, in UTF-16 units. */
  readonly at: Uint32Array;
}

/** How many letters and digits one hash covers. */
export const gramLength = 16;

/** How much of a text is read before the reading may pause, in UTF-16 units. */
const windowLength = 64 * 1024;

/**
 * Reduces a text to letters and digits. Spaces, punctuation and escapes (`\n`, `\u0041`, `%41`, `&#65;`, colors of
 * terminals) are dropped or decoded, and so are numbers, paths and names of services at the start of a line, which
 * listings and searches add. Letters from U+0080 to U+036F are dropped: they are written in two ways. Yields null where
 * the reading may pause. Takes linear time. `isPart`: the text does not begin at the start of a line. `room`: where the
 * units are written, at least as long as the text.
 */
export function* normalise(text: string, isPart = false, room?: Room): Generator<null, Normal> {
  const reader = new Reader(text, isPart, room ?? roomFor(text.length));
  for (let to = windowLength; reader.read(to); to += windowLength) yield null;
  return reader.normal;
}

/** Where a text is read, and its units are written. */
export interface Room extends Normal {
  /** The text as UTF-16: an array is read faster than a string. */
  readonly text: Uint16Array;
}

export function roomFor(length: number): Room {
  return { text: new Uint16Array(length), units: new Uint16Array(length), at: new Uint32Array(length) };
}

class Reader {
  readonly #text: string;
  readonly #source: Uint16Array;
  readonly #units: Uint16Array;
  readonly #at: Uint32Array;
  #count = 0;
  #from = 0;
  #isStart: boolean;

  constructor(text: string, isPart: boolean, { text: source, units, at }: Room) {
    this.#text = text;
    this.#source = source;
    Buffer.from(source.buffer).write(text, 'utf16le');
    this.#units = units;
    this.#at = at;
    this.#isStart = !isPart;
  }

  get normal(): Normal {
    return { units: this.#units.subarray(0, this.#count), at: this.#at.subarray(0, this.#count) };
  }

  /** Reads up to an offset, at least; false at the end of the text. */
  read(to: number): boolean {
    const [text, source, units, at] = [this.#text, this.#source, this.#units, this.#at];
    const end = Math.min(to, text.length);
    let [count, from, isStart] = [this.#count, this.#from, this.#isStart];
    while (from < end) {
      if (isStart) from = afterPrefix(text, from);
      isStart = false;
      const unit = source[from] ?? 0;
      const code = unit < 128 ? (codes[unit] ?? 0) : isLetter(unit) ? unit : 0;
      if (code > escapeStart) {
        units[count] = code;
        at[count] = from;
        count += 1;
        from += 1;
      } else if (code < escapeStart) {
        isStart = code === lineEnd;
        from += 1;
      } else {
        const decoded = decodeAt(text, from, unit);
        const letter = decoded.code < 128 ? (codes[decoded.code] ?? 0) : 0;
        if (letter > escapeStart) {
          units[count] = letter;
          at[count] = from;
          count += 1;
        }
        isStart = letter === lineEnd;
        from = decoded.end;
      }
    }
    this.#count = count;
    this.#from = from;
    this.#isStart = isStart;
    return from < text.length;
  }
}

/** Greek and all scripts after it, except punctuation and invisible characters. */
function isLetter(unit: number): boolean {
  if (unit < 0x370) return false;
  const isMark = (unit >= 0x2000 && unit < 0x2c00) || (unit >= 0x3000 && unit < 0x3040);
  return !isMark && !(unit >= 0xfe00 && unit < 0xfe70) && !(unit >= 0xff00 && unit < 0xff10) && unit < 0xfff0;
}

/** `code` is 0 if nothing is written there. */
interface Decoded {
  readonly code: number;
  readonly end: number;
}

function decodeAt(text: string, from: number, unit: number): Decoded {
  if (unit === backslash) return decodeBackslash(text, from);
  if (unit === percent) return decodePercent(text, from);
  if (unit === ampersand) return decodeEntity(text, from);
  return { code: 0, end: afterColor(text, from + 1) };
}

const backslash = 92;
const percent = 37;
const ampersand = 38;

/** After any number of backslashes: a text may be quoted more than once. */
function decodeBackslash(text: string, from: number): Decoded {
  let at = from + 1;
  while (text.charCodeAt(at) === backslash) at += 1;
  const letter = text[at] ?? '';
  if (letter === 'n' || letter === 'r') return { code: 10, end: at + 1 };
  if (letter === 'u' || letter === 'x') {
    const end = at + 1 + (letter === 'u' ? 4 : 2);
    const code = hexAt(text, at + 1, end);
    if (code === null) return { code: 0, end: at };
    return code === 27 ? { code: 0, end: afterColor(text, end) } : { code, end };
  }
  if (letter === 'e' || text.startsWith('033', at)) {
    const end = at + (letter === 'e' ? 1 : 3);
    const after = afterColor(text, end);
    if (after > end) return { code: 0, end: after };
  }
  return { code: 0, end: letter !== '' && 'tbfv0'.includes(letter) ? at + 1 : at };
}

/** `%41`, also percent-encoded again. */
function decodePercent(text: string, from: number): Decoded {
  let at = from + 1;
  while (text.startsWith('25', at)) at += 2;
  const code = hexAt(text, at, at + 2);
  return code === null ? { code: 0, end: at } : { code, end: at + 2 };
}

const entities = ['quot;', 'lt;', 'gt;', 'apos;', 'nbsp;'];

function decodeEntity(text: string, from: number): Decoded {
  let at = from + 1;
  while (text.startsWith('amp;', at)) at += 4;
  const entity = entities.find((name) => text.startsWith(name, at));
  if (entity !== undefined) return { code: 0, end: at + entity.length };
  if (text[at] !== '#') return { code: 0, end: at };
  const isHexadecimal = text[at + 1] === 'x';
  const start = at + (isHexadecimal ? 2 : 1);
  let end = start;
  while (end < start + 6 && (isHexadecimal ? isHex(text.charCodeAt(end)) : digitEnd(text, end, 1) > end)) end += 1;
  if (end === start || text[end] !== ';') return { code: 0, end: at };
  return { code: Number.parseInt(text.slice(start, end), isHexadecimal ? 16 : 10), end: end + 1 };
}

/** The color codes of terminals: `[1;31m`. */
function afterColor(text: string, from: number): number {
  if (text[from] !== '[') return from;
  let at = from + 1;
  while (at < from + 20 && /[\d;?]/.test(text[at] ?? '')) at += 1;
  return /[A-Za-z]/.test(text[at] ?? '') ? at + 1 : from;
}

function hexAt(text: string, from: number, to: number): number | null {
  for (let at = from; at < to; at += 1) if (!isHex(text.charCodeAt(at))) return null;
  return Number.parseInt(text.slice(from, to), 16);
}
