import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import * as vscode from 'vscode';

/**
 * Makes the folders of files, one level after the other, and waits each time until VS Code has seen them: it misses what happens in
 * a folder that is made directly after the folder around it.
 */
export async function makeFolders(paths: readonly string[]): Promise<void> {
  const missing = new Set(paths.flatMap((path) => foldersAbove(path)).filter((folder) => !existsSync(folder)));
  const levels = Map.groupBy([...missing], (folder) => folder.split(/[\\/]/).length);
  for (const [, folders] of [...levels].sort(([a], [b]) => a - b)) await makeSeen(folders);
}

function foldersAbove(path: string): readonly string[] {
  const folder = dirname(path);
  if (vscode.workspace.getWorkspaceFolder(vscode.Uri.file(folder)) === undefined) return [];
  return [...foldersAbove(folder), folder];
}

async function makeSeen(folders: readonly string[]): Promise<void> {
  const left = new Set(folders);
  const { promise, resolve } = Promise.withResolvers<void>();
  const watcher = vscode.workspace.createFileSystemWatcher('**/*', false, true, true);
  watcher.onDidCreate(({ fsPath }) => {
    left.delete(fsPath);
    if (left.size === 0) resolve();
  });
  for (const folder of folders) mkdirSync(folder);
  await promise;
  watcher.dispose();
}
