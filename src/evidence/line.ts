import { jsonObject } from './jsonObject.ts';
import { sha256, sha256Into } from './sha256.ts';

/** The maximum length of a line in bytes, without its end of line: the default limit of rsyslog. */
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
  /** Counted from 1, through all parts. */
  readonly seq: number;
  /** ISO 8601, UTC, milliseconds. */
  readonly time: string;
  readonly kind: string;
  /** The leaf hash of the line before, in hex. */
  readonly prev: string;
}

/**
 * The JSON of a value with every character past U+007E as \uXXXX: it has only the bytes 0x20 to 0x7E, so a collector that
 * changes encodings does not change it. Null if it is longer than 8,000 bytes.
 */
export function lineOf(value: object): string | null {
  const text = asciiJson(JSON.stringify(value));
  return text.length <= maxLineBytes ? text : null;
}

/** JSON in printable ASCII: U+007F is the only ASCII character that JSON does not escape. */
export function asciiJson(json: string): string {
  return json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Whether a text is a line exactly as `lineOf` writes its value: no field twice, no other spelling of a value. */
export function isCanonical(line: string, value: object): boolean {
  return lineOf(value) === line;
}

/** The leaf hash of a line without its end of line: RFC 6962, section 2.1. */
export function leafOf(line: string | Uint8Array): Buffer {
  const bytes = typeof line === 'string' ? Buffer.from(line, 'latin1') : line;
  return sha256(Buffer.concat([leafPrefix, bytes]));
}

const leafPrefix = Buffer.of(0);

/**
 * Writes the leaf hash of the line from `start` to `end` to a buffer of 32 bytes. The byte before the line, such as the last
 * end of line, is overwritten while hashing, and restored.
 */
export function leafInto(bytes: Buffer, start: number, end: number, leaf: Buffer): void {
  const before = bytes[start - 1] as number;
  bytes[start - 1] = 0;
  sha256Into(new Uint8Array(bytes.buffer, bytes.byteOffset + start - 1, end - start + 1), leaf);
  bytes[start - 1] = before;
}

const maxNameLength = 160;
const sessionName = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const starts = {
  session: Buffer.from('{"v":2,"session":"'),
  ledger: Buffer.from('{"v":2,"ledger":"'),
} as const;
const numberStart = Buffer.from('","seq":');
const timeAndKind = Buffer.from(',"time":"0000-00-00T00:00:00.000Z","kind":"'.replaceAll('0', '\0'));
const timeStart = ',"time":"'.length;
const timeLength = 24;
const prevStart = Buffer.from(',"prev":"');
/** 64 digits, and `"}`. */
const prevLength = 66;
const startedKind = Buffer.from('session-started"');
const quote = 0x22;

/** The frame of a line without its end of line; null if it has none, has bytes other than 0x20 to 0x7E, or is too long. */
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

/** A frame without its texts: where they are in the bytes. A text for each line of a collection would take longer than all else. */
export interface FramePlaces extends Pick<Frame, 'of' | 'name' | 'seq'> {
  readonly timeAt: number;
  readonly kindAt: number;
  readonly kindEnd: number;
  readonly prevAt: number;
}

/** The frame of the line from `start` to `end`. */
export function frameAt(bytes: Buffer, start: number, end: number): FramePlaces | null {
  const found = nameAt(bytes, start, end);
  if (found === null || end - start > maxLineBytes || !isPrintable(bytes, start, end)) return null;
  const { of, name } = found;
  let at = start + starts[of].length + name.length;
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

/** A kind has up to 40 letters, digits and hyphens, and begins with a letter. */
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

/** The bytes of `prev` in the frame that `frameAt` found last. */
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

/** The last hour that was read, such as 2026-11-02T08, and its time: most lines are of the hour of the line before. */
let hour = Buffer.alloc(13);
let hourTime = Number.NaN;

/** The time of a frame in milliseconds since 1970; NaN if there is no such day or hour. */
export function timeOf(bytes: Buffer, { timeAt: at }: FramePlaces): number {
  if (!startsWith(bytes, at, hour)) {
    hour = Buffer.from(bytes.subarray(at, at + hour.length));
    hourTime = Date.parse(`${hour}:59:59.999Z`) - 3_599_999;
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

/** The last name that was found to be one: usually, the next line has the same. */
const lastName = { session: '', ledger: '' };
const lastBytes = { session: Buffer.alloc(0), ledger: Buffer.alloc(0) };

/** The session or ledger that a line is of, read from its start only: the rest of the frame is not checked. */
export function nameAt(bytes: Buffer, start: number, end: number): Pick<Frame, 'of' | 'name'> | null {
  const of = startsWith(bytes, start, starts.session) ? 'session' : 'ledger';
  if (of === 'ledger' && !startsWith(bytes, start, starts.ledger)) return null;
  const at = start + starts[of].length;
  // Usually, it is the last name: this is read from every line of a collection.
  const { length } = lastBytes[of];
  if (length > 0 && bytes[at + length] === quote && startsWith(bytes, at, lastBytes[of]))
    return { of, name: lastName[of] };
  const [name = ''] = bytes.toString('latin1', at, Math.min(end, at + maxNameLength + 1)).split('"', 1);
  if (of === 'session' ? !sessionName.test(name) : !isOrigin(name)) return null;
  lastName[of] = name;
  lastBytes[of] = Buffer.from(name, 'latin1');
  return { of, name };
}

/** The ledger that a line of kind `session-started` names; null for any other line. */
export function ledgerNamedAt(bytes: Buffer, start: number, end: number): string | null {
  // Its kind is after its number, which ends at a comma, and its time.
  let at = start + starts.session.length + 36 + numberStart.length;
  for (let digits = 0; digits < 8 && bytes[at] !== 0x2c; digits += 1) at += 1;
  if (!startsWith(bytes, at + timeAndKind.length, startedKind)) return null;
  const { ledger } = jsonObject(textAt(bytes, start, end - start)) ?? {};
  return typeof ledger === 'string' && isOrigin(ledger) ? ledger : null;
}

/** Whether a name can be that of a ledger: a prefix, and the 32 digits of a log id. */
export function isOrigin(name: string): boolean {
  return name.length <= maxNameLength && /^[!#-*,-[\]-~]+\/[0-9a-f]{32}$/.test(name);
}

/**
 * Whether bytes go on with others from a place; 0 stands for any digit. Node's own comparison takes longer for so few bytes.
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
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

/** Without a branch for each byte, which takes longer: a byte outside makes one of the differences negative. */
function isPrintable(bytes: Uint8Array, start: number, end: number): boolean {
  let all = 0;
  for (let at = start; at < end; at += 1) all |= ((bytes[at] as number) - 0x20) | (0x7e - (bytes[at] as number));
  return all >= 0;
}
