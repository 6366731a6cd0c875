import {
  charactersOf,
  digitEnd,
  dropped,
  findPrefix,
  hexAt,
  isHex,
  isLetter,
  kinds,
  letterOrDigit,
  lineEnd,
  normalized,
  startsWith,
} from './characters.ts';

/** A normalized text: only its letters and digits, in lower case. */
export interface Normal {
  /** The UTF-16 units; ASCII letters are in lower case. */
  readonly units: Uint16Array;
  /** The offset in UTF-16 units of each unit in the text. */
  readonly at: Uint32Array;
  /** The indexes of the units where a word begins: units that do not directly follow the previous unit in the text. */
  readonly words: Uint32Array;
  /**
   * The possible prefixes of lines (see findPrefix), in order: for each, the index of its first unit, and the offsets of
   * PrefixEnds in the text.
   */
  readonly prefixes: Uint32Array;
}

/** The number of entries in `prefixes` for one prefix. */
export const prefixSize = 4;

/** The number of letters and digits that one hash covers. */
export const gramLength = 16;

/** The length in UTF-16 units of text that is copied between two pauses. */
const sliceLength = 1024 * 1024;

/** The length in UTF-16 units of text that is read between two pauses. */
const windowLength = 64 * 1024;

/**
 * Reduces a text to letters and digits. Spaces, punctuation and escapes (`\n`, `\u0041`, `%41`, `&#65;`, colors of terminals)
 * are dropped or decoded. Letters from U+0080 to U+036F are dropped: they are written in two ways. Text that listings and
 * searches may have added before a line stays, and its place is known. Yields null where it may pause. Takes linear time. With
 * `isPart`, the text does not begin at the start of a line.
 */
export function* normalize(text: string, isPart = false): Generator<null, Normal> {
  const reader = new Reader(roomFor(text.length), unitsOf(text), isPart);
  for (let to = windowLength; reader.read(to); to += windowLength) yield null;
  return reader.normal;
}

/** A text as UTF-16: an array is read faster than a string. */
export function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  // A call of Buffer takes longer than reading a short text.
  if (text.length <= 64) for (let at = 0; at < text.length; at += 1) units[at] = text.charCodeAt(at);
  else Buffer.from(units.buffer).write(text, 'utf16le');
  return units;
}

/** Like unitsOf(), for a long text. Yields null where it may pause. */
export function* unitsInSlices(text: string): Generator<null, Uint16Array> {
  const units = new Uint16Array(text.length);
  const bytes = Buffer.from(units.buffer);
  for (let from = 0; from < text.length; from += sliceLength) {
    bytes.write(text.slice(from, from + sliceLength), 2 * from, 'utf16le');
    yield null;
  }
  return units;
}

/** Like normalize(), but without a pause, for a text that fits into `room`: UTF-16, or one byte for each unit. */
export function normalizeIn(room: Room, text: Uint16Array | Uint8Array, isPart: boolean): Normal {
  const reader = new Reader(room, text, isPart);
  reader.read(text.length);
  return reader.normal;
}

/** The buffers for the text that is read, and for the result. */
interface Room extends Normal {
  /** The text as UTF-16, and a 0 after its end. */
  readonly text: Uint16Array;
}

/** Makes the buffers for a text of `length` UTF-16 units. */
export function roomFor(length: number): Room {
  return {
    text: new Uint16Array(length + 1),
    units: new Uint16Array(length + 1),
    at: new Uint32Array(length + 1),
    words: new Uint32Array(length + 1),
    // The shortest line with a prefix is a digit and a line break.
    prefixes: new Uint32Array(prefixSize * (Math.ceil(length / 2) + 1)),
  };
}

class Reader {
  readonly #room: Room;
  readonly #length: number;
  #count = 0;
  #words = 0;
  #from = 0;
  #isStart: boolean;
  #prefixes = 0;
  readonly #ends = { path: -1, first: -1, last: -1 };
  /** 1 if the last character was a letter or a digit that was not escaped. */
  #inWord = 0;

  constructor(room: Room, text: Uint16Array | Uint8Array, isPart: boolean) {
    this.#room = room;
    this.#length = text.length;
    room.text.set(text);
    room.text[text.length] = 0;
    this.#isStart = !isPart;
  }

  get normal(): Normal {
    const { units, at, words, prefixes } = this.#room;
    const count = this.#count;
    return {
      units: units.subarray(0, count),
      at: at.subarray(0, count),
      words: words.subarray(0, this.#words),
      prefixes: prefixes.subarray(0, this.#prefixes),
    };
  }

  /** Reads at least up to an offset; returns false at the end of the text. */
  read(to: number): boolean {
    const end = Math.min(to, this.#length);
    while (this.#from < end) {
      if (this.#isStart) {
        this.#findPrefix();
        this.#isStart = false;
        this.#inWord = 0;
      }
      this.#readPlain(end);
      this.#readOther(end);
    }
    return this.#from < this.#length;
  }

  #findPrefix(): void {
    const ends = this.#ends;
    // A path on Windows may contain text that looks like an escaped line break.
    if (this.#from < ends.last) return;
    const { text, prefixes } = this.#room;
    findPrefix(text, this.#from, this.#length, ends);
    if (ends.first === -1) return;
    prefixes[this.#prefixes] = this.#count;
    prefixes[this.#prefixes + 1] = ends.path;
    prefixes[this.#prefixes + 2] = ends.first;
    prefixes[this.#prefixes + 3] = ends.last;
    this.#prefixes += prefixSize;
  }

  /** Reads ASCII that is neither a line break nor an escape, in a short separate loop, because most text is like this. */
  #readPlain(end: number): void {
    const { text, units, at, words } = this.#room;
    const written = normalized;
    let [from, count, word, inWord] = [this.#from, this.#count, this.#words, this.#inWord];
    for (; from < end; from += 1) {
      const unit = text[from] ?? 0;
      if (unit >= 128) break;
      const value = written[unit] ?? 0;
      if (value > 127) break;
      // There is no branch, which would be hard to predict: an ignored character is overwritten by the next one. `kind` is 0 for
      // such a character, and 1 for any other one.
      const kind = (value + 127) >> 7;
      units[count] = value;
      at[count] = from;
      words[word] = count;
      word += kind & ~inWord;
      count += kind;
      inWord = kind;
    }
    this.#from = from;
    this.#count = count;
    this.#words = word;
    this.#inWord = inWord;
  }

  /** Reads one other character, or a run of characters that are not ASCII. */
  #readOther(end: number): void {
    const { text } = this.#room;
    for (; this.#from < end && (text[this.#from] ?? 0) >= 128; this.#from += 1) {
      const unit = text[this.#from] ?? 0;
      if (isLetter(unit)) this.#put(unit, this.#from);
      this.#inWord = isLetter(unit) ? 1 : 0;
    }
    if (this.#from >= end) return;
    const kind = kinds[text[this.#from] ?? 0] ?? dropped;
    if (kind <= letterOrDigit) return;
    let written: number = kind;
    if (kind === lineEnd) this.#from += 1;
    else {
      const code = decodeAt(text, this.#from);
      written = code < 128 ? (kinds[code] ?? dropped) : dropped;
      if (written === letterOrDigit) this.#put(normalized[code] ?? 0, this.#from);
      this.#from = decodedEnd;
    }
    this.#isStart = written === lineEnd;
    this.#inWord = 0;
  }

  #put(unit: number, at: number): void {
    const room = this.#room;
    room.units[this.#count] = unit;
    room.at[this.#count] = at;
    room.words[this.#words] = this.#count;
    if (this.#inWord === 0) this.#words += 1;
    this.#count += 1;
  }
}

/** The end of the last decoded escape: a second result of decodeAt(), without allocating an object. */
let decodedEnd = 0;

/** The character of an escape; 0 if nothing is written for it. */
function decodeAt(text: Uint16Array, from: number): number {
  const unit = text[from];
  if (unit === backslash) return decodeBackslash(text, from);
  if (unit === percent) return decodePercent(text, from);
  if (unit === ampersand) return decodeEntity(text, from);
  return decoded(0, afterColor(text, from + 1));
}

function decoded(code: number, end: number): number {
  decodedEnd = end;
  return code;
}

const [terminalEscape, hash, percent, ampersand, semicolon, bracket, backslash] = [27, 35, 37, 38, 59, 91, 92];
const [letterE, letterN, letterR, letterU, letterX] = [101, 110, 114, 117, 120];
const newLine = 10;
/** The letters of `\t` and similar escapes, whose character is dropped. */
const oneDropped: ReadonlySet<number> = new Set(charactersOf('tbfv0'));

/** Decodes an escape after any number of backslashes, because a text may be quoted more than once. */
function decodeBackslash(text: Uint16Array, from: number): number {
  let at = from + 1;
  while (text[at] === backslash) at += 1;
  const letter = text[at] ?? 0;
  if (letter === letterN || letter === letterR) return decoded(newLine, at + 1);
  if (letter === letterU || letter === letterX) {
    const end = at + 1 + (letter === letterU ? 4 : 2);
    const code = hexAt(text, at + 1, end);
    if (code === -1) return decoded(0, at);
    return code === terminalEscape ? decoded(0, afterColor(text, end)) : decoded(code, end);
  }
  if (letter === letterE || startsWith(text, at, octalEscape)) {
    const end = at + (letter === letterE ? 1 : 3);
    const after = afterColor(text, end);
    if (after > end) return decoded(0, after);
  }
  return decoded(0, oneDropped.has(letter) ? at + 1 : at);
}

const octalEscape = charactersOf('033');
const encodedPercent = charactersOf('25');

/** Decodes `%41`, even if it is percent-encoded again. */
function decodePercent(text: Uint16Array, from: number): number {
  let at = from + 1;
  while (startsWith(text, at, encodedPercent)) at += 2;
  const code = hexAt(text, at, at + 2);
  return code === -1 ? decoded(0, at) : decoded(code, at + 2);
}

const encodedAmpersand = charactersOf('amp;');
const entities = ['quot;', 'lt;', 'gt;', 'apos;', 'nbsp;'].map(charactersOf);

function decodeEntity(text: Uint16Array, from: number): number {
  let at = from + 1;
  while (startsWith(text, at, encodedAmpersand)) at += 4;
  for (const entity of entities) if (startsWith(text, at, entity)) return decoded(0, at + entity.length);
  if (text[at] !== hash) return decoded(0, at);
  const isHexadecimal = text[at + 1] === letterX;
  const start = at + (isHexadecimal ? 2 : 1);
  let end = start;
  while (end < start + 6 && (isHexadecimal ? isHex(text[end] ?? 0) : digitEnd(text, end, 1) > end)) end += 1;
  if (end === start || text[end] !== semicolon) return decoded(0, at);
  const digits = String.fromCharCode(...text.subarray(start, end));
  return decoded(Number.parseInt(digits, isHexadecimal ? 16 : 10), end + 1);
}

/** The position after a color code of a terminal: `[1;31m`. */
function afterColor(text: Uint16Array, from: number): number {
  if (text[from] !== bracket) return from;
  let at = from + 1;
  while (at < from + 20 && /[\d;?]/.test(String.fromCharCode(text[at] ?? 0))) at += 1;
  return /[A-Za-z]/.test(String.fromCharCode(text[at] ?? 0)) ? at + 1 : from;
}
