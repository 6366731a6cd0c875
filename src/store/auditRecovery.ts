import type { AuditEntry } from '../session/audit.ts';
import { listAuditFiles, readAuditFile } from './auditFiles.ts';
import { safeParseRecord } from './auditLine.ts';

/** Sessions that began longer ago were looked at by those that came after them. */
const lookBackDays = 30;

/**
 * The outcomes that nobody wrote down: requests of sessions whose process is gone, without an end. What became of them
 * is not known, and the session that finds them says so in its own file; theirs stay as they are.
 */
export async function unfinishedRequests(folder: string, self: string): Promise<readonly AuditEntry[]> {
  const since = new Date(Date.now() - lookBackDays * 86_400_000).toISOString().replace(/[-:]/g, '').slice(0, 8);
  const open = new Map<string, string>();
  const alive = new Set<string>([self]);
  for (const { name, session } of await listAuditFiles(folder)) {
    if (name < since) continue;
    for (const line of (await readAuditFile(folder, name)).lines) {
      const record = safeParseRecord(line);
      if (record?.kind === 'session-started' && isRunning(record.pid)) alive.add(session);
      if (record?.kind === 'request-intent') open.set(record.request, session);
    }
  }
  // Outcomes apart: another session may have written one, in a file that sorts before.
  for (const { name } of await listAuditFiles(folder)) {
    if (open.size === 0) break;
    if (name < since) continue;
    for (const line of (await readAuditFile(folder, name)).lines) {
      const record = safeParseRecord(line);
      if (record?.kind === 'request-outcome') open.delete(record.request);
    }
  }
  return [...open]
    .filter(([, session]) => !alive.has(session))
    .map(([request]) => ({ kind: 'request-outcome', request, outcome: 'unknown', confirmation: 'none' }));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there, but somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
