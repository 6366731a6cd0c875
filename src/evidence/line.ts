import { sha256, sha256Into } from './sha256.ts';

/** The maximum length of a line in bytes, without its end of line: the default limit of rsyslog. */
export const maxLineBytes = 8_000;
/** The highest number of a line in a session or a ledger. */
export const maxSeq = 1_000_000;
/** The `prev` of a first line. */
export const firstPrev = '0'.repeat(64);

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
  sha256Into(bytes.subarray(start - 1, end), leaf, 0);
  bytes[start - 1] = before;
}

const maxNameLength = 160;
const startedKind = Buffer.from('","kind":"session-started"');
/** Where the number of a session's line is, and the length of `,"time":"` with the time. */
const numberAt = 18 + 36 + 8;
const timeLength = 9 + 24;
const starts = {
  session: Buffer.from('{"v":2,"session":"'),
  ledger: Buffer.from('{"v":2,"ledger":"'),
} as const;
/** `,"prev":"`, 64 digits, `"}` */
const tail = /^,"prev":"([0-9a-f]{64})"\}$/;
const tailLength = 75;
const middle =
  /^([^"\\]{1,160})","seq":([1-9]\d{0,6}),"time":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)","kind":"([a-z][a-z0-9-]{0,39})"/;
/** Longer than any match of `middle`. */
const middleLength = 280;
const sessionName = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The frame of a line without its end of line; null if it has none, has bytes other than 0x20 to 0x7E, or is too long. */
export function frameOf(line: Uint8Array): Frame | null {
  const bytes = Buffer.isBuffer(line) ? line : Buffer.from(line.buffer, line.byteOffset, line.byteLength);
  return frameAt(bytes, 0, bytes.length);
}

/** The frame of the line from `start` to `end`. */
export function frameAt(bytes: Buffer, start: number, end: number): Frame | null {
  const of = ofAt(bytes, start);
  if (of === null || end - start > maxLineBytes || !isPrintable(bytes, start, end)) return null;
  const at = start + starts[of].length;
  const tailAt = end - tailLength;
  if (tailAt <= at) return null;
  const [, name, seq, time, kind] =
    middle.exec(bytes.toString('latin1', at, Math.min(tailAt, at + middleLength))) ?? [];
  const [, prev] = tail.exec(bytes.toString('latin1', tailAt, end)) ?? [];
  if (name === undefined || time === undefined || kind === undefined || prev === undefined) return null;
  if (Number(seq) > maxSeq || !isName(of, name)) return null;
  return { of, name, seq: Number(seq), time, kind, prev };
}

/** The last name that was found to be one: usually, the next line has the same. */
const last = { session: '', ledger: '' };
const lastBytes = { session: Buffer.alloc(0), ledger: Buffer.alloc(0) };

function isName(of: Frame['of'], name: string): boolean {
  if (name !== last[of]) {
    if (of === 'session' ? !sessionName.test(name) : !isOrigin(name)) return false;
    last[of] = name;
    lastBytes[of] = Buffer.from(name, 'latin1');
  }
  return true;
}

/** The session or ledger that a line is of, read from its start only: the rest of the frame is not checked. */
export function nameAt(bytes: Buffer, start: number, end: number): Pick<Frame, 'of' | 'name'> | null {
  const of = ofAt(bytes, start);
  if (of === null) return null;
  const at = start + starts[of].length;
  // Usually, it is the last name: this is read from every line of a collection.
  const { length } = lastBytes[of];
  if (length > 0 && bytes[at + length] === 0x22 && startsWith(bytes, at, lastBytes[of])) return { of, name: last[of] };
  const [name = ''] = bytes.toString('latin1', at, Math.min(end, at + maxNameLength + 1)).split('"', 1);
  return isName(of, name) ? { of, name } : null;
}

/** The ledger that a line of kind `session-started` names; null for any other line. */
export function ledgerNamedAt(bytes: Buffer, start: number, end: number): string | null {
  if (!isStarted(bytes, start)) return null;
  try {
    const { ledger } = JSON.parse(bytes.toString('latin1', start, end)) as { readonly ledger?: unknown };
    return typeof ledger === 'string' && isOrigin(ledger) ? ledger : null;
  } catch {
    return null;
  }
}

/** Whether the line of a session is of kind `session-started`: after its number, which ends at a comma, and its time. */
function isStarted(bytes: Buffer, start: number): boolean {
  let at = start + numberAt;
  while (at < start + numberAt + 8 && bytes[at] !== 0x2c) at += 1;
  return startsWith(bytes, at + timeLength, startedKind);
}

function ofAt(bytes: Buffer, start: number): Frame['of'] | null {
  if (startsWith(bytes, start, starts.session)) return 'session';
  return startsWith(bytes, start, starts.ledger) ? 'ledger' : null;
}

/** Whether a name can be that of a ledger: a prefix, and the 32 digits of a log id. */
export function isOrigin(name: string): boolean {
  return name.length <= maxNameLength && /^[!#-*,-[\]-~]+\/[0-9a-f]{32}$/.test(name);
}

/** Whether bytes go on with others from a place. */
export function startsWith(bytes: Buffer, at: number, start: Buffer): boolean {
  return bytes.length - at >= start.length && bytes.compare(start, 0, start.length, at, at + start.length) === 0;
}

function isPrintable(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte < 0x20 || byte > 0x7e) return false;
  }
  return true;
}
