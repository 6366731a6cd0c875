import { uptime } from 'node:os';
import type { AuditEntry, KeyUser } from '../../send/audit.ts';
import { processExists } from '../lock.ts';
import { listAuditFiles, readAuditFile, stampOf } from './auditFiles.ts';
import { safeParseRecord } from './auditLine.ts';

/** An entry, with the user of its request if it belongs to one. */
export interface EntryOfUser {
  readonly entry: AuditEntry;
  readonly of?: KeyUser | undefined;
}

/** The age up to which sessions are checked; older ones were already checked by later sessions. */
const lookBackDays = 30;

/**
 * Returns the missing outcomes of requests without an end in sessions whose process has ended. Their result is unknown, and
 * the session that finds them records that in its own file; the old files do not change.
 *
 * Two windows that start at the same time may both record it, and a window on another machine that shares the folder may be considered
 * ended: when joining intents and outcomes, any other outcome takes precedence over `unknown`. A process that reuses an old
 * process id only delays this to the next start. Unreadable files are skipped.
 */
export async function unfinishedRequests(folder: string, self: string, now: Date): Promise<readonly EntryOfUser[]> {
  const since = stampOf(new Date(now.getTime() - lookBackDays * 86_400_000));
  const intents = new Map<string, { readonly session: string; readonly subject: string | undefined }>();
  const ended = new Set<string>();
  const alive = new Set<string>([self]);
  for (const { name, session, stamp } of await listAuditFiles(folder)) {
    if (stamp < since) continue;
    const { lines } = await readAuditFile(folder, name).catch(() => ({ lines: [] }));
    for (const line of lines) {
      const record = safeParseRecord(line);
      if (record?.kind === 'session-started' && isRunning(record.pid, record.time)) alive.add(session);
      if (record?.kind === 'request-intent') intents.set(record.request, { session, subject: record.user });
      if (record?.kind === 'request-outcome') ended.add(record.request);
    }
  }
  return [...intents]
    .filter(([request, { session }]) => !ended.has(request) && !alive.has(session))
    .map(([request, of]) => ({
      entry: { kind: 'request-outcome', request, outcome: 'unknown', confirmation: 'none' },
      of,
    }));
}

/**
 * The tolerance in milliseconds for clock adjustments, and for the start time of the machine, which is only known to the
 * second.
 */
const clockToleranceMs = 60_000;

/** Whether the process of a session that began at `time` still runs, as far as its process id can tell. */
export function isRunning(pid: number, time: string): boolean {
  // The session began before this machine was started, so its process id may be used by another process now.
  if (Date.parse(time) < Date.now() - uptime() * 1000 - clockToleranceMs) return false;
  // An earlier process had our process id, which is common after a restart of the machine.
  if (pid === process.pid) return Date.parse(time) >= Math.floor(performance.timeOrigin);
  return processExists(pid);
}
