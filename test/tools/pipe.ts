import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, rmSync } from 'node:fs';

/** Makes a pipe in the place of a file. Whoever reads it waits. */
export function makePipe(path: string): void {
  execFileSync('mkfifo', [path]);
}

/**
 * Removes a pipe, and ends the reads that wait for it. VS Code reads some files of a workspace itself: without this, its threads for
 * files, and all changes of settings after a read of `.vscode/tasks.json`, would wait forever.
 */
export function removePipe(path: string): void {
  const end = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  rmSync(path);
  closeSync(end);
}
