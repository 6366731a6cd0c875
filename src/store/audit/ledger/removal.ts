import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Removed } from '../../../evidence/ledgerRecords.ts';
import { leafOf } from '../../../evidence/line.ts';
import { GrowingTree } from '../../../evidence/tree.ts';
import { type AuditFileName, stampOf } from '../auditFiles.ts';
import { safeParseRecord } from '../auditLine.ts';
import { isRunning } from '../auditRecovery.ts';
import { linesOf } from '../fileLines.ts';
import { auditSessions, readSession } from '../sessionFiles.ts';
import type { LedgerView } from './ledger.ts';

type Signed = Pick<LedgerView, 'heads' | 'removed'>;

/** A session without the files that are going to be removed. */
interface Extent {
  readonly size: number;
  /** In base64. */
  readonly root: string;
  /** Empty if it has no line. */
  readonly lastTime: string;
  readonly isRunning: boolean;
}

/** What to write before the files of a session are removed: for all sessions of the folder. */
export async function purgedSessions(folder: string, signed: Signed): Promise<readonly Removed[]> {
  const { evidence, hmac } = await auditSessions(folder);
  const records: Removed[] = [];
  for (const [session, files] of evidence)
    records.push(removed(session, await extentOf(folder, files), signed, 'purge'));
  for (const [session, files] of hmac)
    records.push(removed(session, await hmacExtentOf(folder, files), signed, 'purge'));
  return records;
}

export interface Expiry {
  readonly days: number;
  readonly now: Date;
  /** Whether this window writes the session. */
  readonly isOwn: (session: string) => boolean;
  /** Whether files that are old enough may be removed. */
  readonly mayRemove: (files: readonly string[]) => Promise<boolean>;
}

/** The same for sessions that ended, and whose last line is older than `days`. */
export async function expiredSessions(
  folder: string,
  signed: Signed,
  { days, now, isOwn, mayRemove }: Expiry,
): Promise<readonly Removed[]> {
  const before = new Date(now.getTime() - days * 86_400_000);
  const { evidence, hmac } = await auditSessions(folder);
  const records: Removed[] = [];
  for (const [form, sessions] of [
    ['evidence', evidence],
    ['hmac', hmac],
  ] as const) {
    for (const [session, files] of sessions) {
      // No line is older than the start of its session.
      if (isOwn(session) || (files[0]?.stamp ?? '') > stampOf(before)) continue;
      const extent = await (form === 'hmac' ? hmacExtentOf : extentOf)(folder, files);
      if (extent.isRunning || extent.lastTime >= before.toISOString()) continue;
      if (!(await mayRemove(files.map(({ name }) => name)))) continue;
      records.push(removed(session, extent, signed, 'retention'));
    }
  }
  return records;
}

/** Removes the files of sessions; returns their number. */
export async function removeSessions(folder: string, names: ReadonlySet<string>): Promise<number> {
  const { evidence, hmac } = await auditSessions(folder);
  const files = [...evidence, ...hmac].flatMap(([session, found]) => (names.has(session) ? found : []));
  for (const { name } of files) await rm(join(folder, name), { force: true });
  return files.length;
}

/** The last head of the session says what is gone; if it has none here, its lines do. */
function removed(session: string, extent: Extent, { heads }: Signed, why: Removed['why']): Removed {
  const { size, root } = heads.get(session) ?? extent;
  return { kind: 'removed', session, size, root, why };
}

async function extentOf(folder: string, files: readonly AuditFileName[]): Promise<Extent> {
  const { size, root, lastTime, starts } = await readSession(folder, files);
  const isAlive = starts.some(({ pid, time }) => isRunning(pid, time));
  return { size, root: root.toString('base64'), lastTime, isRunning: isAlive };
}

async function hmacExtentOf(folder: string, files: readonly AuditFileName[]): Promise<Extent> {
  const tree = new GrowingTree();
  let lastTime = '';
  let isAlive = false;
  for (const { name } of files) {
    for await (const line of linesOf(join(folder, name))) {
      tree.push(leafOf(line));
      const record = safeParseRecord(line.toString('utf8'));
      if (record === null) continue;
      lastTime = record.time;
      isAlive ||= record.kind === 'session-started' && isRunning(record.pid, record.time);
    }
  }
  return { size: tree.size, root: tree.root().toString('base64'), lastTime, isRunning: isAlive };
}
