import * as vscode from 'vscode';
import type { Layer } from '../policy/requestPolicy.ts';
import { type SettingKey, settingKeys, settings } from '../policy/settings.ts';

/**
 * The layers in force, outermost first: user, workspace, and each of `folders` (URIs). Read with inspect(), never
 * get(), which would let the innermost layer loosen the others.
 */
export function readLayers(folders: readonly string[]): readonly Layer[] {
  const root = vscode.workspace.getConfiguration();
  const layers: Layer[] = [
    { layer: 'user', values: valuesOf((key) => root.inspect(key)?.globalValue) },
    { layer: 'workspace', values: valuesOf((key) => inWorkspace(key, root.inspect(key)?.workspaceValue)) },
  ];
  // Without a workspace file the folder's settings are the workspace's: the layer above has them.
  if (vscode.workspace.workspaceFile === undefined) return layers;
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    if (!folders.includes(folder.uri.toString())) continue;
    const scoped = vscode.workspace.getConfiguration('', folder.uri);
    const values = valuesOf((key) => inWorkspace(key, scoped.inspect(key)?.workspaceFolderValue));
    layers.push({ layer: 'folder', name: folder.name, values });
  }
  return layers;
}

/** The workspace folder of a document, as `folders` above names it; null outside of all. */
export function folderOf(uri: vscode.Uri): string | null {
  return vscode.workspace.getWorkspaceFolder(uri)?.uri.toString() ?? null;
}

/** All folders of the window, for a request that does not say where it comes from: the strictest of them holds. */
export function allFolders(): readonly string[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString());
}

/** A workspace must not choose where the key goes: what it says of an application setting is not even looked at. */
function inWorkspace(key: SettingKey, value: unknown): unknown {
  return settings[key].scope === 'application' ? undefined : value;
}

function valuesOf(read: (key: SettingKey) => unknown): Layer['values'] {
  return Object.fromEntries(settingKeys.map((key) => [key, read(key)]));
}
