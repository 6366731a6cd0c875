import * as vscode from 'vscode';
import { type Globs, KeptGlobs } from '../../../gate/globs/globs.ts';
import { userLayers } from '../../settings/settingsReader.ts';

const kept = new KeptGlobs();

/** Returns VS Code's `files.exclude` for a workspace folder. */
export function filesExclude(folder: vscode.Uri, ignoresCase: boolean): Globs {
  return kept.get(`${ignoresCase} ${folder.toString()}`, excluded(folder), ignoresCase);
}

/** Returns the patterns that any layer excludes. With get(), a workspace could include again what the user excluded. */
function excluded(folder: vscode.Uri): Readonly<Record<string, unknown>> {
  const found = vscode.workspace.getConfiguration('files', folder).inspect<Record<string, unknown>>('exclude');
  const { local, remote } = userLayers(found) as Partial<Record<'local' | 'remote', Record<string, unknown>>>;
  const layers = [found?.defaultValue, local, remote, found?.workspaceValue, found?.workspaceFolderValue];
  const entries = layers.flatMap((layer) => Object.entries(layer ?? {}).filter(([, value]) => value !== false));
  // The last entry for a pattern applies, so unconditional entries come last: no layer can add a condition to a pattern that
  // another layer excludes unconditionally.
  return Object.fromEntries(entries.sort(([, a], [, b]) => Number(a === true) - Number(b === true)));
}
