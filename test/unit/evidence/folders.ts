import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Files by name, each with its lines, or with its exact content. */
export type FolderFiles = Iterable<readonly [string, readonly string[] | string | Uint8Array]>;

/** Runs a task with a folder of these files, and removes it. */
export async function withFolder<T>(files: FolderFiles, task: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-evidence-'));
  try {
    writeFiles(folder, files);
    return await task(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function writeFiles(folder: string, files: FolderFiles): void {
  for (const [name, content] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    const isLines = Array.isArray(content);
    writeFileSync(join(folder, name), isLines ? content.map((line) => `${line}\n`).join('') : (content as string));
  }
}
