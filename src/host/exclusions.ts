import { realpath } from 'node:fs/promises';
import { posix } from 'node:path';
import * as vscode from 'vscode';
import { builtInDenial } from '../gate/denials.ts';
import { createExclusions, type Exclusion, type IgnoreFile } from '../gate/exclusions.ts';
import type { Attachment } from '../session/conversation.ts';
import { userLayers } from './settingsReader.ts';

const ignoreNames = ['.gitignore', '.svcignore'] as const;
const isCaseInsensitive = process.platform === 'win32' || process.platform === 'darwin';

/** Why an attachment may not leave, in words; null where it may. */
export async function whyExcluded({ uri, covers = [] }: Pick<Attachment, 'uri' | 'covers'>): Promise<string | null> {
  const files: ReadFiles = new Map();
  for (const one of [uri, ...covers.map((covered) => covered.uri)]) {
    const reason = await whyFileExcluded(one, files);
    if (reason !== null) return reason;
  }
  return null;
}

/** Ignore files that are read already: who asks about many files at a time reads each of them once. */
export type ReadFiles = Map<string, Promise<ReadFile | null>>;

/** An ignore file; `text` is null where it is there and cannot be read. */
type ReadFile = Omit<IgnoreFile, 'text'> & { readonly text: string | null };

/** The same of a file alone, by its URI. */
export async function whyFileExcluded(uri: string, files?: ReadFiles): Promise<string | null> {
  const found = await exclusionOf(uri, files);
  if (found === null) return null;
  return found.by === 'built-in'
    ? vscode.l10n.t('a built-in rule ({0})', found.pattern)
    : `${found.by} (${found.pattern})`;
}

/**
 * Which rule keeps a file from leaving; null where none does. Asked of the file itself, wherever links lead to, and of
 * the name it was opened by: neither a link nor `..` nor another case gets around a rule.
 */
export async function exclusionOf(uriText: string, files: ReadFiles = new Map()): Promise<Exclusion | null> {
  const uri = vscode.Uri.parse(uriText, true);
  if (uri.scheme === 'untitled') return null;
  const real = await realUri(uri);
  for (const asked of real.toString() === uri.toString() ? [uri] : [real, uri]) {
    const denied = builtInDenial(asked.path);
    const found = denied === null ? await inFolder(asked, files) : { by: 'built-in' as const, pattern: denied };
    if (found !== null) return found;
  }
  return null;
}

/** Where links lead. */
export async function realUri(uri: vscode.Uri): Promise<vscode.Uri> {
  if (uri.scheme !== 'file') return uri;
  try {
    return vscode.Uri.file(await realpath(uri.fsPath));
  } catch {
    // Gone from the disk: its name is all there is to ask.
    return uri;
  }
}

async function inFolder(uri: vscode.Uri, files: ReadFiles): Promise<Exclusion | null> {
  const folder = await folderAround(uri);
  if (folder === null) return null;
  const path = posix.relative(folder.root.path, uri.path);
  if (path === '' || path.startsWith('..')) return null;
  const ignoreFiles = await ignoreFilesAbove(folder.root, path, files);
  const unread = ignoreFiles.find((file) => file.text === null);
  // Nobody knows what it excludes.
  if (unread !== undefined) return { by: unread.name, pattern: vscode.l10n.t('it cannot be read') };
  const exclusions = createExclusions({
    ignoreFiles: ignoreFiles.filter((file): file is IgnoreFile => file.text !== null),
    filesExclude: filesExclude(folder.uri),
    isCaseInsensitive,
  });
  return exclusions.check(path);
}

/** The workspace folder that holds a file, by its name or by where its name leads to. */
export async function folderAround(
  uri: vscode.Uri,
): Promise<{ readonly uri: vscode.Uri; readonly root: vscode.Uri } | null> {
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    for (const root of [folder.uri, await realUri(folder.uri)]) {
      if (root.scheme === uri.scheme && root.authority === uri.authority && isBelow(root.path, uri.path)) {
        return { uri: folder.uri, root };
      }
    }
  }
  return null;
}

function isBelow(root: string, path: string): boolean {
  const fold = (text: string): string => (isCaseInsensitive ? text.toLowerCase() : text);
  return fold(path).startsWith(fold(root.endsWith('/') ? root : `${root}/`));
}

/** The ignore files from the folder's root down to where the file is. */
async function ignoreFilesAbove(root: vscode.Uri, path: string, known: ReadFiles): Promise<readonly ReadFile[]> {
  const names = path.split('/').slice(0, -1);
  const folders = ['', ...names.map((_, index) => names.slice(0, index + 1).join('/'))];
  const files = folders.flatMap((folder) =>
    ignoreNames.map((name) => {
      const file = vscode.Uri.joinPath(root, folder, name);
      const read = known.get(file.toString()) ?? readIgnoreFile(file, name, folder);
      known.set(file.toString(), read);
      return read;
    }),
  );
  return (await Promise.all(files)).filter((file) => file !== null);
}

/** null where there is none. */
async function readIgnoreFile(file: vscode.Uri, name: IgnoreFile['name'], folder: string): Promise<ReadFile | null> {
  try {
    return { name, folder, text: new TextDecoder().decode(await vscode.workspace.fs.readFile(file)) };
  } catch (error) {
    const isNone = error instanceof vscode.FileSystemError && noFile.has(error.code);
    return isNone ? null : { name, folder, text: null };
  }
}

const noFile = new Set(['FileNotFound', 'FileNotADirectory', 'FileIsADirectory']);

/** What any layer excludes is excluded: get() would let a workspace include again what the person excluded. */
function filesExclude(folder: vscode.Uri): Readonly<Record<string, unknown>> {
  const found = vscode.workspace.getConfiguration('files', folder).inspect<Record<string, unknown>>('exclude');
  const { local, remote } = userLayers(found) as Partial<Record<'local' | 'remote', Record<string, unknown>>>;
  const layers = [found?.defaultValue, local, remote, found?.workspaceValue, found?.workspaceFolderValue];
  const excluded = layers.flatMap((layer) => Object.entries(layer ?? {}).filter(([, value]) => value !== false));
  // The last one counts: what one layer excludes without a condition is not for another to put under one.
  return Object.fromEntries(excluded.sort(([, a], [, b]) => Number(a === true) - Number(b === true)));
}
