import * as vscode from 'vscode';
import { type Globs, globsOf } from '../../../gate/exclusions.ts';
import { userLayers } from '../../config/settingsReader.ts';

/** Compiled as long as the setting stays. */
const known = new Map<string, { readonly written: string; readonly globs: Globs }>();

/** VS Code's `files.exclude`, as it holds in a workspace folder. */
export function filesExclude(folder: vscode.Uri, ignoresCase: boolean): Globs {
  const setting = excluded(folder);
  const key = `${ignoresCase} ${folder.toString()}`;
  const written = JSON.stringify(setting);
  const before = known.get(key);
  if (before?.written === written) return before.globs;
  const globs = globsOf(setting, ignoresCase);
  known.set(key, { written, globs });
  return globs;
}

/** What any layer excludes is excluded: get() would let a workspace include again what the user excluded. */
function excluded(folder: vscode.Uri): Readonly<Record<string, unknown>> {
  const found = vscode.workspace.getConfiguration('files', folder).inspect<Record<string, unknown>>('exclude');
  const { local, remote } = userLayers(found) as Partial<Record<'local' | 'remote', Record<string, unknown>>>;
  const layers = [found?.defaultValue, local, remote, found?.workspaceValue, found?.workspaceFolderValue];
  const entries = layers.flatMap((layer) => Object.entries(layer ?? {}).filter(([, value]) => value !== false));
  // The last one counts: what one layer excludes without a condition is not for another to put under one.
  return Object.fromEntries(entries.sort(([, a], [, b]) => Number(a === true) - Number(b === true)));
}
