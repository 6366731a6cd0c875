import * as vscode from 'vscode';
import { settingsWithKey } from '../../policy/files/keyInSettings.ts';
import {
  type InspectedLanguage,
  type InspectedUser,
  languageLayersOf,
  type UserLayers,
  userLayersOf,
} from '../../policy/files/userLayers.ts';
import type { Layer, LayerRef } from '../../policy/requestPolicy.ts';
import { type SettingKey, settingKeys, settings } from '../../policy/settings.ts';
import { countedFolders } from './countedFolders.ts';

/**
 * The layers in force, outermost first: user, remote machine, workspace, and each folder of the window that `places`
 * (URIs of folders and documents) lie in. Read with inspect(), never get(), which would let the innermost layer loosen
 * the others.
 */
export function readLayers(places: readonly string[]): readonly Layer[] {
  const root = vscode.workspace.getConfiguration();
  const found = new Map(settingKeys.map((key) => [key, root.inspect(key)]));
  const layers: Layer[] = [
    { layer: 'user', values: valuesOf((key) => userLayers(found.get(key)).local) },
    { layer: 'remote', values: valuesOf((key) => unlessTheUsers(key, userLayers(found.get(key)).remote)) },
    { layer: 'workspace', values: valuesOf((key) => unlessTheUsers(key, found.get(key)?.workspaceValue)) },
  ];
  // Without a workspace file the folder's settings are the workspace's: the layer above has them.
  if (vscode.workspace.workspaceFile === undefined) return layers;
  for (const folder of foldersAt(places)) {
    const scoped = vscode.workspace.getConfiguration('', folder.uri);
    const values = valuesOf((key) => unlessTheUsers(key, scoped.inspect(key)?.workspaceFolderValue));
    layers.push({ layer: 'folder', name: folder.name, values });
  }
  return layers;
}

/** Where a setting holds a key, in each layer that can be seen. */
export function keysInLayers(places: readonly string[]): readonly (LayerRef & { readonly setting: string })[] {
  const found = vscode.workspace.getConfiguration().inspect('svc');
  const { local, remote } = userLayers(found);
  const trees: readonly (LayerRef & { readonly tree: unknown })[] = [
    { layer: 'user', tree: local },
    { layer: 'remote', tree: remote },
    { layer: 'workspace', tree: found?.workspaceValue },
    ...foldersAt(places).map(({ uri, name }) => {
      const tree = vscode.workspace.getConfiguration(undefined, uri).inspect('svc')?.workspaceFolderValue;
      return { layer: 'folder' as const, name, tree };
    }),
  ];
  return trees.flatMap(({ tree, ...layer }) => settingsWithKey(tree).map((setting) => ({ ...layer, setting })));
}

/** The user's own value of a setting of VS Code or ours, without what the remote machine says of it. */
export function userValue(key: string): unknown {
  return userLayers(vscode.workspace.getConfiguration().inspect(key)).local;
}

/** What the user and the remote machine say, of what inspect() found. */
export function userLayers(found: InspectedUser | undefined): UserLayers {
  return userLayersOf(found ?? {}, isRemoteWindow());
}

/** The same of what they say for a language. */
export function languageLayers(found: InspectedLanguage): UserLayers {
  return languageLayersOf(found, isRemoteWindow());
}

/** The folders of the window whose settings count for what is at `places`. */
export function foldersAt(places: readonly string[]): readonly vscode.WorkspaceFolder[] {
  const all = vscode.workspace.workspaceFolders ?? [];
  const isFileSystem = (scheme: string): boolean => vscode.workspace.fs.isWritableFileSystem(scheme) !== undefined;
  const counted = new Set(
    countedFolders(
      places.map((place) => vscode.Uri.parse(place)),
      all.map(({ uri }) => uri),
      isFileSystem,
    ),
  );
  return all.filter(({ uri }) => counted.has(uri));
}

/** The innermost workspace folder of a document; null outside of all. Those around it count with it: see readLayers. */
export function folderOf(uri: vscode.Uri): string | null {
  return vscode.workspace.getWorkspaceFolder(uri)?.uri.toString() ?? null;
}

/** All folders of the window, for a request that does not say where it comes from: the strictest of them holds. */
export function allFolders(): readonly string[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString());
}

/** Neither a workspace nor a remote machine chooses where the key goes: what it says of that is not even looked at. */
function unlessTheUsers(key: SettingKey, value: unknown): unknown {
  return settings[key].scope === 'application' ? undefined : value;
}

function isRemoteWindow(): boolean {
  return vscode.env.remoteName !== undefined;
}

function valuesOf(read: (key: SettingKey) => unknown): Layer['values'] {
  return Object.fromEntries(settingKeys.map((key) => [key, read(key)]));
}
