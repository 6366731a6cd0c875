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

type Inspected = ReturnType<vscode.WorkspaceConfiguration['inspect']>;

/**
 * Returns the layers in force, outermost first: user, remote machine, workspace, and each workspace folder that contains one
 * of `places` (URIs of folders and documents). They are read with inspect(), never get(), because with get() the innermost
 * layer could loosen the outer ones.
 */
export function readLayers(places: readonly string[]): readonly Layer[] {
  const found = settingsSetFor();
  const layers: Layer[] = [
    { layer: 'user', values: valuesOf((key) => userLayers(found.get(key)).local) },
    { layer: 'remote', values: valuesOf((key) => unlessTheUsers(key, userLayers(found.get(key)).remote)) },
    { layer: 'workspace', values: valuesOf((key) => unlessTheUsers(key, found.get(key)?.workspaceValue)) },
  ];
  // Without a workspace file, the folder's settings are the workspace's, which are already included.
  if (vscode.workspace.workspaceFile === undefined) return layers;
  for (const folder of foldersAt(places)) {
    const scoped = settingsSetFor(folder.uri);
    const values = valuesOf((key) => unlessTheUsers(key, scoped.get(key)?.workspaceFolderValue));
    layers.push({ layer: 'folder', name: folder.name, folder: folder.uri.toString(), values });
  }
  return layers;
}

function settingsSetFor(folder?: vscode.Uri): ReadonlyMap<SettingKey, Inspected> {
  const { getConfiguration } = vscode.workspace;
  // The object returned by get('svc') on the whole configuration would copy all settings of VS Code when it is converted to
  // JSON.
  return setSettings(getConfiguration(undefined, folder), getConfiguration('svc', folder));
}

/**
 * Returns the result of VS Code's inspect() for each setting that a layer sets. VS Code computes the layers for each call,
 * which takes half of the activation time, so settings that no layer sets are not inspected. A set setting has a value in
 * one of the trees below, or, if VS Code hides it behind another tree (values for all profiles), it changes the value in
 * `effective`, the tree of the effective values.
 */
export function setSettings(
  configuration: Pick<vscode.WorkspaceConfiguration, 'inspect'>,
  effective: unknown,
): ReadonlyMap<SettingKey, Inspected> {
  const { defaultValue, ...layers } = configuration.inspect('svc') ?? {};
  const trees = Object.values(layers);
  const isSet = (key: SettingKey): boolean =>
    trees.some((tree) => valueAt(tree, key) !== undefined) ||
    JSON.stringify(valueAt(effective, key)) !== JSON.stringify(valueAt(defaultValue, key));
  return new Map(settingKeys.filter(isSet).map((key) => [key, configuration.inspect(key)]));
}

/** Returns the value of a setting in the tree of the settings below `svc`. */
function valueAt(tree: unknown, key: SettingKey): unknown {
  let value = tree;
  for (const name of key.split('.').slice(1)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = value[name as keyof typeof value];
  }
  return value;
}

/** Returns the settings that contain an API key, in each readable layer. */
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

/** Returns the user's own value of any setting, without the value of the remote machine. */
export function userValue(key: string): unknown {
  return userLayers(vscode.workspace.getConfiguration().inspect(key)).local;
}

/** Returns the values of the user and of the remote machine in a result of inspect(). */
export function userLayers(found: InspectedUser | undefined): UserLayers {
  return userLayersOf(found ?? {}, isRemoteWindow());
}

/** Like userLayers(), but for the values of a language. */
export function languageLayers(found: InspectedLanguage): UserLayers {
  return languageLayersOf(found, isRemoteWindow());
}

/** Returns the workspace folders whose settings apply at `places`. */
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

/**
 * Returns the innermost workspace folder of a document, or null if it is in no workspace folder. The settings of the folders
 * around it apply as well: see readLayers().
 */
export function folderOf(uri: vscode.Uri): string | null {
  return vscode.workspace.getWorkspaceFolder(uri)?.uri.toString() ?? null;
}

/** Returns all workspace folders, for a request without a known origin: the strictest settings of all folders then apply. */
export function allFolders(): readonly string[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString());
}

/**
 * Returns undefined for settings of the user only: neither a workspace nor a remote machine may choose where the key is
 * sent.
 */
function unlessTheUsers(key: SettingKey, value: unknown): unknown {
  return settings[key].scope === 'application' ? undefined : value;
}

function isRemoteWindow(): boolean {
  return vscode.env.remoteName !== undefined;
}

function valuesOf(read: (key: SettingKey) => unknown): Layer['values'] {
  return Object.fromEntries(settingKeys.map((key) => [key, read(key)]));
}

/** Whether a setting that any scope can turn off is off for a file or folder. A value that is not a boolean means off. */
export function isTurnedOff(uri: vscode.Uri, key: 'svc.instructions.enabled' | 'svc.context.related'): boolean {
  return readLayers([uri.toString()]).some(({ values }) => values[key] !== undefined && values[key] !== true);
}
