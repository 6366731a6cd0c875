import { type FSWatcher, realpathSync, statSync, unwatchFile, watch, watchFile } from 'node:fs';
import { dirname } from 'node:path';
import type { DisposableLike } from '../../util/disposable.ts';

/** Between looks at the file itself, in milliseconds, where the system's own notice does not come (network drives). */
const pollMs = 5_000;

/**
 * Calls `onChange` when the file may be another one than before: written, replaced, made, or gone. At once and not
 * gathered: who listens reads as often as it needs.
 */
export function watchManagedFile(path: string, onChange: () => void): DisposableLike {
  const watchers = new Map<string, FSWatcher>();
  let isOver = false;

  const notice = (): void => {
    if (isOver) return;
    // First the watch: what changes after it is noticed, what changed before it is read.
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
        // Not watched again here, where it may fail for ever: the folder above, or the poll, brings the next look.
        end(id);
        if (!isOver) onChange();
      });
      watchers.set(id, watcher);
    } catch {
      // No more watches to be had, or the folder went meanwhile: the poll remains.
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
      isOver = true;
      for (const id of [...watchers.keys()]) end(id);
      unwatchFile(path, notice);
    },
  };
}

/**
 * The folder of the file, or the nearest above that is there; the one above it, which tells when that folder is replaced
 * as a whole; and the folder where a link leads. By what they are and not by their names, so that a folder that takes
 * another's place is watched anew.
 */
function foldersToWatch(path: string): ReadonlyMap<string, string> {
  const folders = new Map<string, string>();
  const add = (folder: string): boolean => {
    try {
      // An inode's number is given again soon; the time of birth is not.
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
    // Not there, or nowhere that could be watched.
  }
  return folders;
}
