import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';

/** The time in milliseconds that processes have to end by themselves. */
export const graceTime = 2_000;

interface Listed {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
}

/**
 * Ends a process that was started as the leader of its group, with all that it has started: processes of its group, and their
 * children in other groups. Those that do not end in time are killed. A process whose parents have all ended, and that has left
 * the group, is not found.
 */
export async function endTree(pid: number): Promise<void> {
  if (process.platform === 'win32') return endOnWindows(pid);
  const others = descendantsOf(pid, await processes());
  signalAll(pid, others, 'SIGTERM');
  await new Promise((resolve) => setTimeout(resolve, graceTime));
  // The ID of a process that has ended may have been reused by another process.
  const now = await processes();
  const left = others.filter((one) => now.some(({ pid: same, group }) => same === one.pid && group === one.group));
  signalAll(pid, [...left, ...descendantsOf(pid, now)], 'SIGKILL');
}

/** Ends a process and its group immediately, without waiting for anything. */
export function killGroup(pid: number): void {
  if (process.platform === 'win32') void endOnWindows(pid);
  else signalAll(pid, [], 'SIGKILL');
}

function signalAll(leader: number, others: readonly Listed[], signal: NodeJS.Signals): void {
  for (const pid of [-leader, ...others.map((one) => one.pid)]) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended already, or its user has changed.
    }
  }
}

/** Returns the descendants of a process that are not in its group. */
function descendantsOf(pid: number, all: readonly Listed[]): readonly Listed[] {
  const found = new Set([pid]);
  // A process may be listed before its parent.
  for (let size = 0; size < found.size; ) {
    size = found.size;
    for (const one of all) if (found.has(one.parent) || one.group === pid) found.add(one.pid);
  }
  return all.filter((one) => found.has(one.pid) && one.group !== pid && one.pid !== process.pid);
}

/** Lists all processes; empty if the system cannot. */
function processes(): Promise<readonly Listed[]> {
  return new Promise((resolve) => {
    const options = { maxBuffer: 16 * 1024 * 1024, timeout: graceTime };
    execFile('ps', ['-A', '-o', 'pid=,ppid=,pgid='], options, (_, output) => {
      const rows = output.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
      resolve(rows.flatMap(([pid = 0, parent = 0, group = 0]) => (pid > 1 ? [{ pid, parent, group }] : [])));
    });
  });
}

function endOnWindows(pid: number): Promise<void> {
  const program = join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'taskkill.exe');
  const child = spawn(program, ['/pid', String(pid), '/T', '/F'], { windowsHide: true, stdio: 'ignore' });
  return new Promise((resolve) => {
    child.on('error', () => resolve());
    child.on('close', () => resolve());
  });
}
