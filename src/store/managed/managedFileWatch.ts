import { type FSWatcher, realpathSync, statSync, unwatchFile, watch, watchFile } from 'node:fs';
import { dirname } from 'node:path';
import type { DisposableLike } from '../../util/disposable.ts';

/** The polling interval in milliseconds, for file systems without change notifications (network drives). */
export const defaultPollMs = 5_000;

/**
 * Calls `onChange` when the file may have been written, replaced, created or removed. Calls are immediate and not
 * merged: the listener reads as often as it needs.
 */
export function watchManagedFile(path: string, pollMs: number, onChange: () => void): DisposableLike {
  const watchers = new Map<string, FSWatcher>();
  let isDisposed = false;

  const notice = (): void => {
    if (isDisposed) return;
    // The watch starts before the read: a change during the read is then noticed.
    follow();
    onChange();
  };

  const follow = (): void => {
    const wanted = foldersToWatch(path);
    for (const [id, folder] of wanted) if (!watchers.has(id)) begin(id, folder);
    for (const id of watchers.keys()) if (!wanted.has(id)) end(id);
  };

  const begin = (id: string, folder: string): void => {
    try {
      const watcher = watch(folder, { persistent: false }, notice);
      watcher.on('error', () => {
        // The folder is not watched again here, because that could fail forever: the parent folder or the poll triggers
        // the next check.
        end(id);
        if (!isDisposed) onChange();
      });
      watchers.set(id, watcher);
    } catch {
      // No watch is available, or the folder has been removed since: the poll remains.
    }
  };

  const end = (id: string): void => {
    watchers.get(id)?.close();
    watchers.delete(id);
  };

  follow();
  watchFile(path, { persistent: false, interval: pollMs }, notice);
  return {
    dispose() {
      isDisposed = true;
      for (const id of [...watchers.keys()]) end(id);
      unwatchFile(path, notice);
    },
  };
}

/**
 * The file's folder, or its nearest existing ancestor; the parent of that, which reports when the folder itself is
 * replaced; and the target folder of a link. The keys are identities, not names, so that a folder that replaces another is
 * watched, too.
 */
function foldersToWatch(path: string): ReadonlyMap<string, string> {
  const folders = new Map<string, string>();
  const add = (folder: string): boolean => {
    try {
      // Inode numbers are soon reused; the creation time is not.
      const { dev, ino, birthtimeMs } = statSync(folder);
      folders.set(`${dev} ${ino} ${birthtimeMs}`, folder);
      return true;
    } catch {
      return false;
    }
  };
  let nearest = dirname(path);
  while (!add(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  add(dirname(nearest));
  try {
    add(dirname(realpathSync(path)));
  } catch {
    // The file is missing, or its target cannot be resolved.
  }
  return folders;
}
