import type { AuditEntry } from '../../session/dispatch/audit.ts';
import { listAuditFiles, readAuditFile, stampOf } from './auditFiles.ts';
import { safeParseRecord } from './auditLine.ts';

/** Sessions that began longer ago were looked at by those that came after them. */
const lookBackDays = 30;

/**
 * The outcomes that nobody wrote down: requests of sessions whose process is gone, without an end. What became of them
 * is not known, and the session that finds them says so in its own file; theirs stay as they are.
 *
 * Two windows that start at once may both say so, and a window on another machine that shares the folder may be taken
 * for gone: whoever joins intents and outcomes lets any other outcome go before `unknown`. A process that got the
 * number of one that is gone only puts it off to the next start. Files that cannot be read are passed over.
 */
export async function unfinishedRequests(folder: string, self: string, now: Date): Promise<readonly AuditEntry[]> {
  const since = stampOf(new Date(now.getTime() - lookBackDays * 86_400_000));
  const intents = new Map<string, string>();
  const ended = new Set<string>();
  const alive = new Set<string>([self]);
  for (const { name, session, stamp } of await listAuditFiles(folder)) {
    if (stamp < since) continue;
    const { lines } = await readAuditFile(folder, name).catch(() => ({ lines: [] }));
    for (const line of lines) {
      const record = safeParseRecord(line);
      if (record?.kind === 'session-started' && isRunning(record.pid, record.time)) alive.add(session);
      if (record?.kind === 'request-intent') intents.set(record.request, session);
      if (record?.kind === 'request-outcome') ended.add(record.request);
    }
  }
  return [...intents]
    .filter(([request, session]) => !ended.has(request) && !alive.has(session))
    .map(([request]) => ({ kind: 'request-outcome', request, outcome: 'unknown', confirmation: 'none' }));
}

/** Whether the process of a session that began at `time` is still there, as far as its number can tell. */
function isRunning(pid: number, time: string): boolean {
  // The number is ours now, and was another's before: after a restart of the machine that is no rare thing.
  if (pid === process.pid) return Date.parse(time) >= Math.floor(performance.timeOrigin);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there, but somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
