import { join } from 'node:path';
import type { Follows, Opened } from '../../../evidence/ledgerRecords.ts';
import { parseLedgerRecord } from '../../../evidence/ledgerRecords.ts';
import { ledgerFileName } from '../auditFiles.ts';
import { linesOf } from '../fileLines.ts';

/** The first line of a ledger, and what it says of the one before. */
export interface LedgerStart {
  readonly origin: string;
  readonly vkey: string;
  readonly follows: Follows | null;
}

/** A ledger and those that it follows, the newest first, as far as their files are there. */
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

/** Null if there is no such file, or if it begins with something else. */
async function openedOf(path: string): Promise<Opened | null> {
  try {
    for await (const line of linesOf(path)) {
      const record = parseLedgerRecord(line.toString('latin1'));
      return record !== null && record !== 'unknown' && record.kind === 'opened' ? record : null;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return null;
}
