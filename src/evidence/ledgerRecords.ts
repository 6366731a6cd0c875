// The records in the lines of a ledger. An unknown kind is from a later version: its line is only a leaf of the tree.
import { hashFromBase64 } from './base64.ts';
import { asObject, jsonObject } from './jsonObject.ts';
import { isCanonical, isOrigin } from './line.ts';

/**
 * The reason why a head was written. `unvouched`: it has the last lines of a killed window, after the previous head's lines,
 * which the secret storage did not know. `unanchored`: the lines differ from the known ones, or too many are unknown.
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

/** The last signed checkpoint of the previous ledger. `root` is in base64. */
export interface Follows {
  readonly origin: string;
  readonly size: number;
  readonly root: string;
}

/** The first line of a ledger. */
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

/** The files of a session were removed on purpose. `size` and `root` come from its last head. */
export interface Removed {
  readonly kind: 'removed';
  readonly session: string;
  readonly size: number;
  readonly root: string;
  readonly why: (typeof removalReasons)[number];
}

/** The last line of a ledger. `next` is the vkey of the next ledger. */
interface Closed {
  readonly kind: 'closed';
  readonly next: string;
}

/** The state of a log that a report saw: a line of the report's own ledger. */
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

/** Returns the ledger that a line names as its predecessor or successor, or null. */
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
const areWords: Check = (value) => Object.values(asObject(value) ?? [null]).every(isText);
const isLog: Check = (value) => typeof value === 'string' && isOrigin(value);
const isFollows: Check = (value) => isExactly(value, { origin: isLog, size: isCount, root: isRoot });

const frameShape = { v: isCount, ledger: isLog, seq: isCount, time: isText, kind: isText };

/** The fields of each kind in order. A question mark means that the field is optional. */
const shapes: Readonly<Record<LedgerKind, Readonly<Record<string, Check>>>> = {
  opened: { ...frameShape, vkey: isText, versions: areWords, 'follows?': isFollows, prev: isText },
  head: { ...frameShape, session: isText, size: isCount, root: isRoot, why: isOneOf(headReasons), prev: isText },
  removed: { ...frameShape, session: isText, size: isCount, root: isRoot, why: isOneOf(removalReasons), prev: isText },
  closed: { ...frameShape, next: isText, prev: isText },
  seen: { ...frameShape, log: isLog, size: isCount, root: isRoot, state: isText, prev: isText },
};

/**
 * Parses a ledger's line that has a frame. Returns `unknown` if its kind is from a later version, or null if it does not have
 * exactly the form of its kind.
 */
export function parseLedgerRecord(line: string): LedgerRecord | 'unknown' | null {
  const value = jsonObject(line);
  if (value === null || !isCanonical(line, value)) return null;
  if (typeof value.kind !== 'string' || !Object.hasOwn(shapes, value.kind)) return 'unknown';
  return isExactly(value, shapes[value.kind as LedgerKind]) ? (value as unknown as LedgerRecord) : null;
}

/** Whether a value has exactly these fields in this order. */
function isExactly(value: unknown, shape: Readonly<Record<string, Check>>): boolean {
  const object = asObject(value);
  if (object === null) return false;
  const fields = Object.keys(object);
  let at = 0;
  for (const name in shape) {
    const isOptional = name.endsWith('?');
    const field = isOptional ? name.slice(0, -1) : name;
    if (fields[at] === field && shape[name]?.(object[field])) at += 1;
    else if (!isOptional || fields[at] === field) return false;
  }
  return at === fields.length;
}
