import { join } from 'node:path';
import { hashFromBase64 } from '../../../evidence/base64.ts';
import type { Follows, Opened } from '../../../evidence/ledgerRecords.ts';
import { parseLedgerRecord } from '../../../evidence/ledgerRecords.ts';
import { ledgerFileName } from '../auditFiles.ts';
import { ifTooLarge, maxLedgerBytes } from '../auditRead.ts';
import { eachLine } from '../fileLines.ts';
import { LedgerState, readOn } from './ledgerState.ts';

/** The content of the first line of a ledger, which names its predecessor. */
interface LedgerStart {
  readonly origin: string;
  readonly vkey: string;
  readonly follows: Follows | null;
}

/** A ledger and its predecessors, the newest first, as far as their files exist. */
export async function followedLedgers(folder: string, origin: string): Promise<readonly LedgerStart[]> {
  const starts = new Map<string, LedgerStart>();
  for (let at: string | undefined = origin; at !== undefined && !starts.has(at); ) {
    const opened: Opened | null = await openedOf(join(folder, ledgerFileName(at)));
    if (opened === null) break;
    starts.set(at, { origin: at, vkey: opened.vkey, follows: opened.follows ?? null });
    at = opened.follows?.origin;
  }
  return [...starts.values()];
}

/** Whether a ledger is the same as another, or one of its successors. */
export async function isOrFollows(folder: string, origin: string, other: string): Promise<boolean> {
  if (origin === other) return true;
  return (await followedLedgers(folder, origin)).some(({ follows }) => follows?.origin === other);
}

/** Returns null if there is no such file, or if its first line is not the beginning of a ledger. */
async function openedOf(path: string): Promise<Opened | null> {
  let first = '';
  const take = (line: Buffer): boolean => {
    first = line.toString('latin1');
    return false;
  };
  await eachLine(path, take, { maxBytes: maxLedgerBytes }).catch(ifTooLarge);
  const record = parseLedgerRecord(first);
  return record !== null && record !== 'unknown' && record.kind === 'opened' ? record : null;
}

/** The records of a ledger and of its predecessors. */
export type Signed = Pick<LedgerState, 'heads' | 'removed' | 'follows'>;

/**
 * Adds the records of a ledger's predecessors, each as far as its successor vouches for it. A ledger that is missing or was
 * changed ends the list.
 */
export async function withEarlier(folder: string, signed: Signed): Promise<Signed> {
  const heads = new Map(signed.heads);
  const removed = new Set(signed.removed);
  let { follows } = signed;
  for (const seen = new Set<string>(); follows !== null && !seen.has(follows.origin); ) {
    const { origin, size, root } = follows;
    seen.add(origin);
    const state = new LedgerState(origin);
    const hash = hashFromBase64(root);
    const path = join(folder, ledgerFileName(origin));
    if (hash === null || (await readOn(state, path, '', { size, root: hash })) !== 'read') break;
    for (const [session, head] of state.heads) if (!heads.has(session)) heads.set(session, head);
    for (const session of state.removed) removed.add(session);
    follows = state.follows;
  }
  return { heads, removed, follows };
}
