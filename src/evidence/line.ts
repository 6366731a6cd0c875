import { jsonObject } from './jsonObject.ts';
import { sha256, sha256Into } from './sha256.ts';

/** The maximum length of a line in bytes, without its line ending: the default limit of rsyslog. */
export const maxLineBytes = 8_000;
/** The highest number of a line in a session or a ledger. */
export const maxSeq = 1_000_000;
/** The `prev` of a first line. */
export const firstPrev = '0000000000000000000000000000000000000000000000000000000000000000';

/** The fields that identify a line. They are at fixed positions, so that they can be read without a JSON parser. */
export interface Frame {
  readonly of: 'session' | 'ledger';
  /** The UUID of the session, or the origin of the ledger. */
  readonly name: string;
  /** The number of the line, counted from 1 through all parts. */
  readonly seq: number;
  /** The time in ISO 8601, in UTC with milliseconds. */
  readonly time: string;
  readonly kind: string;
  /** The leaf hash of the previous line, in hex. */
  readonly prev: string;
}

/**
 * The JSON of a value with every character past U+007E as \uXXXX: it has only the bytes 0x20 to 0x7E, so a collector that
 * changes encodings does not change it. Returns null if it is longer than 8,000 bytes.
 */
export function lineOf(value: object): string | null {
  const text = asciiJson(JSON.stringify(value));
  return text.length <= maxLineBytes ? text : null;
}

/** JSON in printable ASCII: U+007F is the only ASCII character that JSON does not escape. */
export function asciiJson(json: string): string {
  return json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Whether a text is exactly the line that `lineOf` writes for its value: no field twice, no other spelling of a value. */
export function isCanonical(line: string, value: object): boolean {
  return lineOf(value) === line;
}

/** The leaf hash of a line without its line ending: RFC 6962, section 2.1. */
export function leafOf(line: string | Uint8Array): Buffer {
  const bytes = typeof line === 'string' ? Buffer.from(line, 'latin1') : line;
  return sha256(Buffer.concat([leafPrefix, bytes]));
}

const leafPrefix = Buffer.of(0);

/**
 * Writes the leaf hash of the line from `start` to `end` to a buffer of 32 bytes. The byte before the line, such as the
 * previous line ending, is overwritten while hashing, and restored.
 */
export function leafInto(bytes: Buffer, start: number, end: number, leaf: Buffer): void {
  const before = bytes[start - 1] as number;
  bytes[start - 1] = 0;
  sha256Into(new Uint8Array(bytes.buffer, bytes.byteOffset + start - 1, end - start + 1), leaf);
  bytes[start - 1] = before;
}

/** The beginnings of lines, up to the end of the name. */
const forms = {
  session: /^\{"v":2,"session":"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/,
  ledger: /^\{"v":2,"ledger":"([!#-*,-[\]-~]{1,127}\/[0-9a-f]{32})"/,
} as const;
const numberStart = Buffer.from(',"seq":');
const timeAndKind = Buffer.from(',"time":"0000-00-00T00:00:00.000Z","kind":"'.replaceAll('0', '\0'));
/** The length of the beginning of a session's line. */
const sessionStart = 55;
const timeStart = ',"time":"'.length;
const timeLength = 24;
const prevStart = Buffer.from(',"prev":"');
/** The length of the 64 digits of `prev`, and `"}`. */
const prevLength = 66;
const startedKind = Buffer.from('session-started"');
const quote = 0x22;

/**
 * Returns the frame of a line without its line ending, or null if it has no frame, has bytes other than 0x20 to 0x7E, or is
 * too long.
 */
export function frameOf(line: Buffer): Frame | null {
  const found = frameAt(line, 0, line.length);
  if (found === null) return null;
  const { of, name, seq, timeAt, prevAt } = found;
  const [time, prev] = [textAt(line, timeAt, timeLength), textAt(line, prevAt, 64)];
  return { of, name, seq, time, kind: kindOf(line, found), prev };
}

function textAt(bytes: Buffer, at: number, length: number): string {
  return bytes.toString('latin1', at, at + length);
}

/** A frame with the offsets of its texts: making a text for each line of a collection would take longer than all else. */
export interface FramePlaces extends Pick<Frame, 'of' | 'name' | 'seq'> {
  readonly timeAt: number;
  readonly kindAt: number;
  readonly kindEnd: number;
  readonly prevAt: number;
}

/** The bytes that were read last, as a view that reads four of them in one step. */
let wordBytes: Uint8Array = Buffer.alloc(0);
let words: DataView = new DataView(new ArrayBuffer(0));

function wordsOf(bytes: Uint8Array): DataView {
  if (bytes !== wordBytes) {
    wordBytes = bytes;
    words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }
  return words;
}

/** Whether bytes continue with `others` at `at`. Four bytes are compared in one step, the last four with an overlap. */
function hasAt(bytes: Uint8Array, at: number, end: number, others: DataView): boolean {
  const four = others.byteLength - 4;
  if (four < 0 || at + four + 4 > end) return false;
  const own = wordsOf(bytes);
  for (let index = 0; index < four; index += 4) if (own.getInt32(at + index) !== others.getInt32(index)) return false;
  return own.getInt32(at + four) === others.getInt32(four);
}

function copyOf(bytes: Buffer, start: number, end: number): DataView {
  const copy = new Uint8Array(bytes.subarray(start, end));
  return new DataView(copy.buffer);
}

/** Returns the frame of the line from `start` to `end`, or null. */
export function frameAt(bytes: Buffer, start: number, end: number): FramePlaces | null {
  const found = nameAt(bytes, start, end);
  if (found === null || end - start > maxLineBytes || !isPrintable(bytes, start, end)) return null;
  const { of, name } = found;
  let at = start + found.start.byteLength;
  if (!startsWith(bytes, at, numberStart)) return null;
  at += numberStart.length;
  const digits = at;
  while (isDigit(bytes[at]) && at - digits < 7) at += 1;
  const seq = numberAt(bytes, digits, at - digits);
  if (seq === 0 || seq > maxSeq || bytes[digits] === 0x30 || !startsWith(bytes, at, timeAndKind)) return null;
  const timeAt = at + timeStart;
  const kindAt = at + timeAndKind.length;
  const kindEnd = endOfKind(bytes, kindAt);
  const prevAt = end - prevLength;
  if (kindEnd === kindAt || bytes[kindEnd] !== quote || kindEnd >= prevAt - prevStart.length) return null;
  return readPrev(bytes, prevAt) ? { of, name, seq, timeAt, kindAt, kindEnd, prevAt } : null;
}

/** The end of a kind, which has up to 40 letters, digits and hyphens, and begins with a letter. */
function endOfKind(bytes: Buffer, start: number): number {
  let at = start;
  for (; at < start + 40; at += 1) {
    const byte = bytes[at] as number;
    if (!(byte >= 0x61 && byte <= 0x7a) && (at === start || !(byte === 0x2d || isDigit(byte)))) break;
  }
  return at;
}

/** The value of a lower-case hex digit, by its byte. */
const notHex = 256;
const hexValues = new Uint16Array(256).fill(notHex);
for (let value = 0; value < 16; value += 1) hexValues[value.toString(16).charCodeAt(0)] = value;

/** The bytes of `prev` in the last frame that `frameAt` found. */
export const foundPrev = Buffer.alloc(32);

function readPrev(bytes: Buffer, start: number): boolean {
  if (!startsWith(bytes, start - prevStart.length, prevStart)) return false;
  for (let index = 0; index < 32; index += 1) {
    const at = start + 2 * index;
    const value = 16 * (hexValues[bytes[at] as number] as number) + (hexValues[bytes[at + 1] as number] as number);
    if (value >= notHex) return false;
    foundPrev[index] = value;
  }
  return bytes[start + 64] === quote && bytes[start + 65] === 0x7d;
}

export function kindOf(bytes: Buffer, { kindAt, kindEnd }: FramePlaces): string {
  return bytes.toString('latin1', kindAt, kindEnd);
}

/** The last hour that was read, such as 2026-11-02T08, and its time: most lines have the same hour as the previous line. */
let hour = words;
let hourTime = Number.NaN;

/** The time of a frame in milliseconds since 1970, or NaN if there is no such day or hour. */
export function timeOf(bytes: Buffer, { timeAt: at }: FramePlaces): number {
  if (!hasAt(bytes, at, at + 13, hour)) {
    hour = copyOf(bytes, at, at + 13);
    hourTime = Date.parse(`${textAt(bytes, at, 13)}:59:59.999Z`) - 3_599_999;
  }
  const [minute, second] = [numberAt(bytes, at + 14, 2), numberAt(bytes, at + 17, 2)];
  // The day ends at 24:00:00.000, and no time is after that.
  if (minute > 59 || second > 59 || Number.isNaN(hourTime)) return Date.parse(textAt(bytes, at, timeLength));
  return hourTime + (minute * 60 + second) * 1_000 + numberAt(bytes, at + 20, 3);
}

function numberAt(bytes: Buffer, start: number, digits: number): number {
  let number = 0;
  for (let at = start; at < start + digits; at += 1) number = number * 10 + (bytes[at] as number) - 0x30;
  return number;
}

interface Named extends Pick<Frame, 'of' | 'name'> {
  /** The beginning of its lines, up to the end of the name. */
  readonly start: DataView;
}

/** The last session and ledger: usually, the next line belongs to the same one. */
const last: Record<Frame['of'], Named> = {
  session: { of: 'session', name: '', start: words },
  ledger: { of: 'ledger', name: '', start: words },
};

/** The session or ledger of a line, read from its beginning only: the rest of the frame is not checked. */
export function nameAt(bytes: Buffer, start: number, end: number): Named | null {
  const of = bytes[start + 8] === 0x73 ? 'session' : 'ledger';
  // V8 reads two fixed properties faster than one whose name varies.
  const known = of === 'session' ? last.session : last.ledger;
  if (hasAt(bytes, start, end, known.start)) return known;
  const [text, name] = forms[of].exec(bytes.toString('latin1', start, Math.min(end, start + 200))) ?? [];
  if (text === undefined || name === undefined) return null;
  last[of] = { of, name, start: copyOf(bytes, start, start + text.length) };
  return last[of];
}

/** Returns the ledger that a line of kind `session-started` names, or null for any other line. */
export function ledgerNamedAt(bytes: Buffer, start: number, end: number): string | null {
  // The kind of the line comes after its number, which ends at a comma, and its time.
  let at = start + sessionStart + numberStart.length;
  for (let digits = 0; digits < 8 && bytes[at] !== 0x2c; digits += 1) at += 1;
  if (!startsWith(bytes, at + timeAndKind.length, startedKind)) return null;
  const { ledger } = jsonObject(textAt(bytes, start, end - start)) ?? {};
  return typeof ledger === 'string' && isOrigin(ledger) ? ledger : null;
}

/** Whether a name can be a ledger's name: a prefix, and the 32 digits of a log id. */
export function isOrigin(name: string): boolean {
  return /^[!#-*,-[\]-~]{1,127}\/[0-9a-f]{32}$/.test(name);
}

/**
 * Whether bytes continue with `start` at `at`, in which 0 stands for any digit. Node's own comparison takes longer for so few
 * bytes.
 */
export function startsWith(bytes: Uint8Array, at: number, start: Uint8Array): boolean {
  for (let index = 0; index < start.length; index += 1) {
    const byte = bytes[at + index];
    const wanted = start[index];
    if (byte !== wanted && (wanted !== 0 || !isDigit(byte))) return false;
  }
  return true;
}

function isDigit(byte: number | undefined): boolean {
  return (byte as number) >= 0x30 && (byte as number) <= 0x39;
}

/**
 * Whether all bytes are 0x20 to 0x7E except for the last three, which are checked with the hash. Reads four bytes in one step,
 * without a branch for each, which takes longer: a byte outside of the range sets the highest bit of its place, or of a lower
 * one.
 */
function isPrintable(bytes: Uint8Array, start: number, end: number): boolean {
  const found = wordsOf(bytes);
  let all = 0;
  for (let at = start; at <= end - 4; at += 4) {
    const four = found.getInt32(at, true);
    all |= (four - 0x20202020) | (four + 0x01010101);
  }
  return (all & 0x80808080) === 0;
}
