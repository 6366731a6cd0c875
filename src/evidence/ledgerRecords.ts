// The records in the lines of a ledger. A kind that is not here is from a later version: its line counts only as a leaf.
import { hashFromBase64 } from './base64.ts';
import { isCanonical, isOrigin } from './line.ts';

/**
 * Why a head was written. `unvouched`: it has the last lines of a killed window, after those of the head before it, which the
 * secret storage did not know. `unanchored`: the lines are not those that it knew, or too many are unknown to it.
 */
const headReasons = [
  'start',
  'lines',
  'time',
  'end',
  'export',
  'commit',
  'recovered',
  'unvouched',
  'unanchored',
] as const;
const removalReasons = ['retention', 'purge'] as const;

/** The last signed checkpoint of the ledger before this one. `root` in base64. */
export interface Follows {
  readonly origin: string;
  readonly size: number;
  readonly root: string;
}

/** The first line. */
export interface Opened {
  readonly kind: 'opened';
  readonly vkey: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly follows?: Follows;
}

/** The first `size` lines of a session, and the root of their tree in base64. */
export interface Head {
  readonly kind: 'head';
  readonly session: string;
  readonly size: number;
  readonly root: string;
  readonly why: (typeof headReasons)[number];
}

/** The files of a session were removed on purpose. `size` and `root` are those of its last head. */
export interface Removed {
  readonly kind: 'removed';
  readonly session: string;
  readonly size: number;
  readonly root: string;
  readonly why: (typeof removalReasons)[number];
}

/** The last line. `next` is the vkey of the ledger that follows. */
interface Closed {
  readonly kind: 'closed';
  readonly next: string;
}

/** What a report saw of a log: a line of the report's own ledger. */
export interface Seen {
  readonly kind: 'seen';
  readonly log: string;
  readonly size: number;
  readonly root: string;
  readonly state: string;
}

export type LedgerRecord = Opened | Head | Removed | Closed | Seen;
type LedgerKind = LedgerRecord['kind'];

/** A line of a ledger with its frame, in the order in which it is written. */
export function ledgerLine(
  place: { readonly ledger: string; readonly seq: number; readonly time: string; readonly prev: string },
  record: LedgerRecord,
): object {
  const { prev, ...start } = place;
  return { v: 2, ...start, ...record, prev };
}

/** The ledger that a line names as its predecessor or successor; null for most lines. */
export function otherLedgerOf(record: LedgerRecord): string | null {
  if (record.kind === 'opened') return record.follows?.origin ?? null;
  const [name = ''] = record.kind === 'closed' ? record.next.split('+', 1) : [];
  return isOrigin(name) ? name : null;
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isRoot: Check = (value) => typeof value === 'string' && hashFromBase64(value) !== null;
const isOneOf =
  (values: readonly string[]): Check =>
  (value) =>
    values.includes(value as string);
const areWords: Check = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isText);
const isLog: Check = (value) => typeof value === 'string' && isOrigin(value);
const isFollows: Check = (value) => isExactly(value, { origin: isLog, size: isCount, root: isRoot });

/** The fields of each kind in order, without those of the frame. A question mark means that the field is optional. */
const shapes: Readonly<Record<LedgerKind, Readonly<Record<string, Check>>>> = {
  opened: { vkey: isText, versions: areWords, 'follows?': isFollows },
  head: { session: isText, size: isCount, root: isRoot, why: isOneOf(headReasons) },
  removed: { session: isText, size: isCount, root: isRoot, why: isOneOf(removalReasons) },
  closed: { next: isText },
  seen: { log: isLog, size: isCount, root: isRoot, state: isText },
};

const frameShape = { v: isCount, ledger: isLog, seq: isCount, time: isText, kind: isText };

/**
 * Parses a ledger's line that has a frame. `unknown` if its kind is of a later version; null if it is not exactly in the
 * form that is written for its kind.
 */
export function parseLedgerRecord(line: string): LedgerRecord | 'unknown' | null {
  try {
    const value = JSON.parse(line) as { readonly kind?: unknown };
    if (!isCanonical(line, value)) return null;
    if (typeof value.kind !== 'string' || !Object.hasOwn(shapes, value.kind)) return 'unknown';
    const shape = shapes[value.kind as LedgerKind];
    return isExactly(value, { ...frameShape, ...shape, prev: isText }) ? (value as LedgerRecord) : null;
  } catch {
    return null;
  }
}

/** Whether a value has these fields in this order, and no others. */
function isExactly(value: unknown, shape: Readonly<Record<string, Check>>): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map(Object.entries(value));
  const expected = Object.entries(shape).filter(([name]) => !name.endsWith('?') || fields.has(name.slice(0, -1)));
  const names = expected.map(([name]) => name.replace('?', ''));
  return (
    [...fields.keys()].join() === names.join() &&
    expected.every(([, check], index) => check(fields.get(names[index] ?? '')))
  );
}
