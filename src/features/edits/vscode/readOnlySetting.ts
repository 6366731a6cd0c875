import * as vscode from 'vscode';
import { KeptGlobs } from '../../../gate/globs/globs.ts';

type Key = 'readonlyInclude' | 'readonlyExclude';

const kept = new KeptGlobs();

/** Whether VS Code's settings `files.readonlyInclude` and `files.readonlyExclude` make a file read-only. */
export function isReadOnlyBySetting(file: vscode.Uri): boolean {
  return isMatched(file, 'readonlyInclude') && !isMatched(file, 'readonlyExclude');
}

function isMatched(file: vscode.Uri, key: Key): boolean {
  const setting = vscode.workspace.getConfiguration('files', file).get<Readonly<Record<string, unknown>>>(key) ?? {};
  const globs = kept.get(key, setting, false);
  // A glob is relative to the workspace folder, or absolute. One that cannot be read, which excludes every file elsewhere, is ignored.
  const paths = [vscode.workspace.asRelativePath(file, false), file.path];
  return paths.some((path) => globs.checkEntry(path)?.is === 'read');
}
