import { expectedOf } from '../../evidence/verify/files.ts';
import { logNames } from './auditFiles.ts';

const maxLooks = 5;

/**
 * Runs a task on all files of logs; again, if in the meantime files were removed, a ledger has begun, or the signing `key` has
 * changed. Another window has then signed the removal, or named the new ledger in the previous one, and the task may have read
 * only one of the two.
 */
export async function withSettledFiles<T>(
  folder: string,
  key: () => Promise<string | undefined>,
  task: () => Promise<T>,
): Promise<T> {
  for (let looks = 1; ; looks += 1) {
    const before = { names: await logNames(folder), key: await key() };
    const [done] = await Promise.allSettled([task()]);
    const after = { names: await logNames(folder), key: await key() };
    // A file was removed while the task was running.
    const isFileRemoved = done.status === 'rejected' && (done.reason as NodeJS.ErrnoException).code === 'ENOENT';
    const isSettled = !isFileRemoved && before.key === after.key && areSettled(before.names, after.names);
    if (looks < maxLooks && !isSettled) continue;
    if (done.status === 'rejected') throw done.reason;
    return done.value;
  }
}

function areSettled(before: ReadonlySet<string>, after: ReadonlySet<string>): boolean {
  const newFiles = [...after].filter((name) => !before.has(name));
  return [...before].every((name) => after.has(name)) && newFiles.every((name) => expectedOf(name)?.of !== 'ledger');
}
