import * as vscode from 'vscode';
import { type Globs, globsOf } from '../../../gate/globs/globs.ts';

type Key = 'readonlyInclude' | 'readonlyExclude';

/** Compiled globs, valid while the setting is unchanged. */
const compiled = new Map<Key, { readonly written: string; readonly globs: Globs }>();

/** Whether VS Code's settings `files.readonlyInclude` and `files.readonlyExclude` make a file read-only. */
export function isReadOnlyBySetting(file: vscode.Uri): boolean {
  return isMatched(file, 'readonlyInclude') && !isMatched(file, 'readonlyExclude');
}

function isMatched(file: vscode.Uri, key: Key): boolean {
  const setting = vscode.workspace.getConfiguration('files', file).get<Readonly<Record<string, unknown>>>(key) ?? {};
  const globs = globsFor(key, setting);
  // A glob is relative to the workspace folder, or absolute. One that cannot be read matches everything for exclusions.
  const paths = [vscode.workspace.asRelativePath(file, false), file.path];
  return paths.some((path) => globs.checkEntry(path)?.is === 'read');
}

function globsFor(key: Key, setting: Readonly<Record<string, unknown>>): Globs {
  const written = JSON.stringify(setting);
  const before = compiled.get(key);
  if (before?.written === written) return before.globs;
  const globs = globsOf(setting, false);
  compiled.set(key, { written, globs });
  return globs;
}
