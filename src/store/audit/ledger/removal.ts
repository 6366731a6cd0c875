import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Removed } from '../../../evidence/ledgerRecords.ts';
import { GrowingTree } from '../../../evidence/tree.ts';
import { type AuditFileName, listAuditFiles } from '../auditFiles.ts';
import { isRunning } from '../auditRecovery.ts';
import { auditSessions, readSession, type SessionRead } from '../sessionFiles.ts';
import { type Signed, withEarlier } from './followed.ts';
import type { SignedHead } from './ledgerState.ts';

/** The extent of a session, and whether it is running. */
interface Extent {
  readonly size: number;
  /** The root hash in base64. */
  readonly root: string;
  /** The time at which its last line was written or signed; empty if it has no line. */
  readonly lastTime: string;
  readonly isRunning: boolean;
}

/** The records to write before the files of all sessions of the folder are removed. */
export async function purgedSessions(folder: string, signed: Pick<Signed, 'heads'>): Promise<readonly Removed[]> {
  const records: Removed[] = [];
  for (const [session, files] of await auditSessions(folder))
    records.push(removed(session, await readSession(folder, files).then(inWords, () => nothing), signed, 'purge'));
  return records;
}

interface Expiry {
  readonly days: number;
  readonly now: Date;
  /** Whether this window writes the session. */
  readonly isOwn: (session: string) => boolean;
  /** Whether files that are old enough may be removed. */
  readonly mayRemove: (files: readonly string[]) => Promise<boolean>;
}

/**
 * Like purgedSessions(), for sessions that ended and are older than `days`, according to the ledger. Sessions whose files
 * differ from the ledger, or that the ledger does not know, are kept, and *Verify* reports them.
 */
export async function expiredSessions(
  folder: string,
  view: Signed,
  { days, now, isOwn, mayRemove }: Expiry,
): Promise<readonly Removed[]> {
  const before = now.getTime() - days * 86_400_000;
  const signed = await withEarlier(folder, view);
  const records: Removed[] = [];
  for (const [session, files] of await auditSessions(folder)) {
    if (isOwn(session)) continue;
    const head = signed.heads.get(session);
    // Files that cannot be read are kept.
    const extent = head === undefined ? null : await signedExtent(folder, files, head).catch(() => null);
    if (extent === null || extent.isRunning || Date.parse(extent.lastTime) >= before) continue;
    if (!(await mayRemove(files.map(({ name }) => name)))) continue;
    records.push(removed(session, extent, signed, 'retention'));
  }
  return records;
}

/** Returns null if the files of a session do not contain its signed lines. */
async function signedExtent(folder: string, files: readonly AuditFileName[], head: SignedHead): Promise<Extent | null> {
  const { size, root, time } = head;
  const { at, isWhole, lastTime, starts } = await readSession(folder, files, [size]);
  if (!isWhole || at.get(size)?.root.toString('base64') !== root) return null;
  const isAlive = starts.some((start) => isRunning(start.pid, start.time));
  return { size, root, lastTime: lastTime > time ? lastTime : time, isRunning: isAlive };
}

/**
 * Removes the files of sessions; returns their number. A running window may add a file in the meantime, so the folder is
 * listed again.
 */
export async function removeSessions(folder: string, names: ReadonlySet<string>): Promise<number> {
  let count = 0;
  for (let looks = 0; looks < 5; looks += 1) {
    const files = (await listAuditFiles(folder)).filter(({ session }) => names.has(session));
    if (files.length === 0) break;
    for (const { name } of files) await rm(join(folder, name), { force: true });
    count += files.length;
  }
  return count;
}

/** The record of a removed session, with the extent from its last head or, without one, from its lines. */
function removed(
  session: string,
  extent: Pick<Extent, 'size' | 'root'>,
  { heads }: Pick<Signed, 'heads'>,
  why: Removed['why'],
): Removed {
  const { size, root } = heads.get(session) ?? extent;
  return { kind: 'removed', session, size, root, why };
}

function inWords({ size, root }: Pick<SessionRead, 'size' | 'root'>): Pick<Extent, 'size' | 'root'> {
  return { size, root: root.toString('base64') };
}

/** The extent of a session whose files cannot be read. */
const nothing = inWords({ size: 0, root: new GrowingTree().root() });
