/** Decoded runs of base64 or hexadecimal digits. Many runs are one text, because each search has a fixed cost. */
export interface Decoded {
  /** The decoded text has one byte for each character, and a space after each run. */
  readonly bytes: Uint8Array;
  readonly runs: Runs;
}

/** Each array has one entry for each run: an object for each run would cost more than the search of its text. */
interface Runs {
  /** The offsets in UTF-16 units in the text where the digits of each run begin; `ends` has the offsets of their ends. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** The index at which the bytes of each run end. */
  readonly byteEnds: Uint32Array;
}

/** The minimum number of digits of a run; a shorter one cannot hold a value. */
export const minDigits = 24;
/** The minimum length of a wrapped line of base64: encoders wrap after 64 or 76 digits, so a shorter line is the last one. */
export const minWrappedLineLength = 40;
/** The value of a character that is not a digit of base64. */
export const noDigit = 64;
/**
 * The value of `+` and `-`, with which each line of a diff begins. The lines of base64 have a multiple of four digits, so an
 * extra digit is such a sign.
 */
const sign = 62;
/** The base64 of an ASCII character begins with a smaller value. */
const asciiEnd = 32;
/** The value of each ASCII character in base64, in both alphabets. */
export const sextets = Uint8Array.from({ length: 128 }, (_, unit) => {
  const at = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_'.indexOf(String.fromCharCode(unit));
  return at < 0 ? noDigit : at < 64 ? at : at - 2;
});

/** The value of a character that is not a hexadecimal digit. */
const noNibble = 16;
/** The value of each ASCII character as a hexadecimal digit, in both cases. */
const nibbles = Uint8Array.from({ length: 128 }, (_, unit) => {
  const at = '0123456789abcdef'.indexOf(String.fromCharCode(unit).toLowerCase());
  return at < 0 ? noNibble : at;
});

/** The value of a character in base64, or `noDigit`. */
function digitOf(unit: number): number {
  return unit < 128 ? (sextets[unit] ?? noDigit) : noDigit;
}

export function isDigit(unit: number): boolean {
  return unit < 128 && sextets[unit] !== noDigit;
}

export function isHexDigit(unit: number): boolean {
  return unit < 128 && nibbles[unit] !== noNibble;
}

/** The number of bytes that are examined to decide whether the digits from a position on are text. */
const probeLength = 48;
/** The digits of these bytes, and the digits that begin at a whole byte: a run may begin within them. */
const ofHex = { probe: 2 * probeLength, group: 2 };
const ofBase64 = { probe: (probeLength / 3) * 4, group: 4 };
/** If the first digits are not text, this many digits may be something else, such as a path or letters beyond ASCII. */
const stride = 128;
/** Holds 1 for each byte that text has: printable ASCII, white space, and NUL, which UTF-16 has. */
const printable = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number((byte >= 32 && byte < 127) || byte === 0 || (byte >= 9 && byte <= 13)),
);
/** The size in bytes of the text that is made of many runs. */
export const batchLength = 64 * 1024;
/** The maximum number of runs in a batch, because each run takes at least a byte and a space. */
const maxRuns = batchLength / 2;
/** The initial size of the buffer for the digits of one run; it grows for longer runs. */
const firstDigits = 4096;

const [newLine, space, backslash] = [10, 32, 92];

/** Decodes runs of a text, and collects the results until they are taken. */
export class Decoder {
  readonly #text: Uint16Array;
  #bytes: Uint8Array;
  readonly #runs: Runs;
  #count = 0;
  /** The number of bytes in the current batch. */
  length = 0;
  /** Holds the values of the digits of one run. */
  #digits: Uint8Array;

  /** Most texts are short, so the arrays fit the text: allocating the largest ones would take longer than the search. */
  constructor(text: Uint16Array) {
    this.#text = text;
    this.#bytes = new Uint8Array(Math.min(2 * batchLength, text.length + 4));
    this.#digits = new Uint8Array(Math.min(firstDigits, text.length + 4));
    const runs = Math.min(maxRuns, Math.ceil(text.length / minDigits));
    this.#runs = { starts: new Uint32Array(runs), ends: new Uint32Array(runs), byteEnds: new Uint32Array(runs) };
  }

  /** Returns the decoded runs, and starts the next batch. The result is valid until the next call of add(). */
  take(): Decoded {
    const [bytes, count, { starts, ends, byteEnds }] = [this.#bytes.subarray(0, this.length), this.#count, this.#runs];
    this.#count = 0;
    this.length = 0;
    const runs = {
      starts: starts.subarray(0, count),
      ends: ends.subarray(0, count),
      byteEnds: byteEnds.subarray(0, count),
    };
    return { bytes, runs };
  }

  /** Decodes a run of base64 or of hexadecimal digits if it holds text. */
  add(start: number, end: number, isHex: boolean): void {
    // The array has room for a whole group at the end, because V8 deoptimizes a loop that reads past the end of an array.
    if (this.#digits.length < end - start + 4) this.#digits = new Uint8Array(end - start + 4);
    const count = isHex ? this.#readHex(start, end) : this.#read(start, end);
    const needed = this.length + count + 4;
    if (this.#bytes.length < needed) {
      const more = new Uint8Array(needed);
      more.set(this.#bytes.subarray(0, this.length));
      this.#bytes = more;
    }
    const bytes = this.#decode(count, isHex);
    if (bytes === 0) return;
    const to = this.length + bytes;
    // A space separates the runs: after a line break, the search would look for a prefix, which takes time.
    this.#bytes[to] = space;
    const { starts, ends, byteEnds } = this.#runs;
    starts[this.#count] = start;
    ends[this.#count] = end;
    byteEnds[this.#count] = to;
    this.#count += 1;
    this.length = to + 1;
  }

  /** Reads the hexadecimal digits of a run. Returns their number. */
  #readHex(start: number, end: number): number {
    const [text, digits] = [this.#text, this.#digits];
    let count = 0;
    for (let at = start; at < end; at += 1) {
      const unit = text[at] ?? 0;
      const value = unit < 128 ? (nibbles[unit] ?? noNibble) : noNibble;
      if (value < noNibble) {
        digits[count] = value;
        count += 1;
      } else if (unit === backslash) at += 1;
    }
    return count;
  }

  /** Reads the digits of a run of base64. Returns their number. */
  #read(start: number, end: number): number {
    const text = this.#text;
    const isLineStart = start === 0 || text[start - 1] === newLine;
    if (isLineStart && digitOf(text[start] ?? 0) === sign) return this.#readDiff(start, end);
    const digits = this.#digits;
    const values = sextets;
    let count = 0;
    if (end - start < minWrappedLineLength) {
      // A run that is within one line has nothing but digits.
      for (let at = start; at < end; at += 1, count += 1) digits[count] = values[text[at] ?? 0] ?? noDigit;
      return count;
    }
    for (let at = start; at < end; at += 1) {
      const unit = text[at] ?? 0;
      const value = unit < 128 ? (values[unit] ?? noDigit) : noDigit;
      if (value < noDigit) {
        digits[count] = value;
        count += 1;
      } else if (unit === backslash) at += 1;
    }
    return count;
  }

  /** Like #read(), for a run that begins like a line of a diff. */
  #readDiff(start: number, end: number): number {
    const [text, digits] = [this.#text, this.#digits];
    let count = 0;
    let line = 0;
    let isSigned = true;
    for (let at = start; at < end; at += 1) {
      const unit = text[at] ?? 0;
      const value = digitOf(unit);
      if (value < noDigit) {
        digits[count] = value;
        count += 1;
        continue;
      }
      if (unit === backslash) at += 1;
      if (!isSigned || count === line) continue;
      isSigned = line > 0 || count % 4 === 1;
      if (isSigned) count = this.#withoutSign(line, count);
      line = count;
    }
    return isSigned && line > 0 ? this.#withoutSign(line, count) : count;
  }

  /** Removes the sign that a diff adds before a line. Returns the number of digits. */
  #withoutSign(line: number, count: number): number {
    if (line === count || this.#digits[line] !== sign) return count;
    this.#digits.copyWithin(line, line + 1, count);
    return count - 1;
  }

  /** Decodes the digits from where they are text. Returns the number of bytes, or 0 if nothing is text. */
  #decode(count: number, isHex: boolean): number {
    const at = this.#textAt(count, isHex);
    if (at === -1) return 0;
    const start = at < stride ? at : at - stride;
    if (isHex) return this.#pairs(start, count);
    if (start === at) this.#groups(Math.min(count, at + ofBase64.probe), count, this.length + probeLength);
    else this.#groups(start, count, this.length);
    // The last group may have fewer than three complete bytes.
    return ((count - start) * 3) >> 2;
  }

  /** The first position with text: at the beginning, after a part of a path or a name, or after a stride; or -1. */
  #textAt(count: number, isHex: boolean): number {
    const { probe, group } = isHex ? ofHex : ofBase64;
    for (let at = 0; at < group; at += 1) if (this.#isText(at, Math.min(count, at + probe), isHex)) return at;
    const digits = this.#digits;
    const parts = isHex ? 0 : Math.min(count - minDigits, stride - 1);
    for (let at = group; at <= parts; at += 1) {
      const isStart = (digits[at - 1] ?? 0) >= sign && (digits[at] ?? 0) < asciiEnd;
      if (isStart && this.#isText(at, Math.min(count, at + probe), isHex)) return at;
    }
    for (let from = stride; from + probe <= count; from += stride) {
      for (let at = from; at < from + group; at += 1) {
        if (this.#isText(at, Math.min(count, at + probe), isHex)) return at;
      }
    }
    return -1;
  }

  #isText(from: number, to: number, isHex: boolean): boolean {
    return isHex ? this.#textPairs(from, to) : this.#textGroups(from, to);
  }

  /** Whether almost all of the bytes of hexadecimal digits are printable. */
  #textPairs(from: number, to: number): boolean {
    const digits = this.#digits;
    let left = Math.floor(((to - from) >> 1) / 10);
    for (let pair = from; pair + 2 <= to && left >= 0; pair += 2) {
      left -= 1 - (printable[((digits[pair] ?? 0) << 4) | (digits[pair + 1] ?? 0)] ?? 0);
    }
    return left >= 0;
  }

  /** Decodes hexadecimal digits. Returns the number of bytes. */
  #pairs(from: number, to: number): number {
    const [digits, out, place, bytes] = [this.#digits, this.#bytes, this.length, (to - from) >> 1];
    for (let at = 0; at < bytes; at += 1) {
      out[place + at] = ((digits[from + 2 * at] ?? 0) << 4) | (digits[from + 2 * at + 1] ?? 0);
    }
    return bytes;
  }

  /** Decodes the digits in groups of four, as long as almost all of the bytes are printable. */
  #textGroups(from: number, to: number): boolean {
    const [digits, out] = [this.#digits, this.#bytes];
    const max = Math.floor((((to - from) * 3) >> 2) / 10);
    let [at, group, others] = [this.length, from, 0];
    for (; group + 4 <= to; at += 3, group += 4) {
      const a = digits[group] ?? 0;
      const b = digits[group + 1] ?? 0;
      const c = digits[group + 2] ?? 0;
      const d = digits[group + 3] ?? 0;
      const first = ((a << 2) | (b >> 4)) & 255;
      const second = ((b << 4) | (c >> 2)) & 255;
      const third = ((c << 6) | d) & 255;
      out[at] = first;
      out[at + 1] = second;
      out[at + 2] = third;
      others += 3 - (printable[first] ?? 0) - (printable[second] ?? 0) - (printable[third] ?? 0);
      if (others > max) return false;
    }
    this.#groups(group, to, at);
    if (group + 2 <= to) others += 1 - (printable[out[at] ?? 0] ?? 0);
    if (group + 3 <= to) others += 1 - (printable[out[at + 1] ?? 0] ?? 0);
    return others <= max;
  }

  /** Decodes the digits in groups of four, without checking the result, and writes the bytes from `place` on. */
  #groups(from: number, to: number, place: number): void {
    const [digits, out] = [this.#digits, this.#bytes];
    for (let at = place, group = from; group < to; at += 3, group += 4) {
      const a = digits[group] ?? 0;
      const b = digits[group + 1] ?? 0;
      const c = digits[group + 2] ?? 0;
      const d = digits[group + 3] ?? 0;
      out[at] = (a << 2) | (b >> 4);
      out[at + 1] = (b << 4) | (c >> 2);
      out[at + 2] = (c << 6) | d;
    }
  }
}
