import { posix } from 'node:path';
import * as vscode from 'vscode';
import { builtInDenial } from '../gate/denials.ts';
import { createExclusions, type Exclusion, type IgnoreFile } from '../gate/exclusions.ts';
import type { Attachment } from '../session/conversation.ts';
import { userLayers } from './settingsReader.ts';
import { type Behind, filesBehind } from './sources/behind.ts';
import { isBelow, realUri } from './sources/links.ts';

const ignoreNames = ['.gitignore', '.svcignore'] as const;
const isCaseInsensitive = process.platform === 'win32' || process.platform === 'darwin';

/** Why an attachment may not leave, in words; null where it may. Asked of each file that it tells of. */
export async function whyExcluded({
  uri,
  covers = [],
  outside,
  refused,
}: Pick<Attachment, 'uri' | 'covers' | 'outside' | 'refused'>): Promise<string | null> {
  if (refused !== undefined) return refused;
  const files: ReadFiles = new Map();
  // The place of a diff or a listing is a folder; the files in it are what counts.
  for (const one of covers.length === 0 ? [uri] : covers.map((covered) => covered.uri)) {
    const reason = await whyFileExcluded(one, files, outside);
    if (reason !== null) return reason;
  }
  return null;
}

/** Ignore files that are read already: who asks about many files at a time reads each of them once. */
export type ReadFiles = Map<string, Promise<ReadFile | null>>;

/** An ignore file; `text` is null where it is there and cannot be read. */
type ReadFile = Omit<IgnoreFile, 'text'> & { readonly text: string | null };

/**
 * The same of a file alone, by its URI. What lies outside every workspace folder is excluded, but for `outside`: the real
 * path of a file or folder that the user agreed to.
 */
export async function whyFileExcluded(uri: string, files?: ReadFiles, outside?: string): Promise<string | null> {
  const parsed = safeParseUri(uri);
  if (parsed === null) return vscode.l10n.t('the rule for documents without a file ({0})', uri);
  const behind = await filesBehind(parsed);
  const excluded = await ruleAgainst(behind, files);
  if (excluded !== null) return excluded;
  const foreign = outsideOf(behind);
  const isAgreed = foreign === null || foreign === outside || (outside !== undefined && isBelow(outside, foreign));
  return isAgreed ? null : outsideRule(foreign);
}

/** The real path of a file that lies outside every workspace folder; null where none does. */
export function outsideOf(behind: Behind): string | null {
  if (behind.kind !== 'files') return null;
  return behind.files.find(({ isInside }) => !isInside)?.real.path ?? null;
}

export function outsideRule(path: string): string {
  return vscode.l10n.t('the rule for files outside the workspace ({0})', path);
}

/**
 * The rule that keeps what a document shows from leaving, in words; null where none does. Asked of the file itself,
 * wherever links lead, and of the name it was opened by: neither a link nor `..` gets around a rule.
 */
export async function ruleAgainst(behind: Behind, files: ReadFiles = new Map()): Promise<string | null> {
  if (behind.kind === 'none') return null;
  if (behind.kind === 'refused') return behind.rule;
  for (const { uri, real } of behind.files) {
    for (const asked of real.toString() === uri.toString() ? [uri] : [real, uri]) {
      const denied = builtInDenial(asked.path);
      const found = denied === null ? await inFolder(asked, files) : { by: 'built-in' as const, pattern: denied };
      if (found !== null) return describeExclusion(found);
    }
  }
  return null;
}

function describeExclusion({ by, pattern }: Exclusion): string {
  return by === 'built-in' ? vscode.l10n.t('a built-in rule ({0})', pattern) : `${by} (${pattern})`;
}

function safeParseUri(text: string): vscode.Uri | null {
  try {
    return vscode.Uri.parse(text, true);
  } catch {
    return null;
  }
}

async function inFolder(uri: vscode.Uri, files: ReadFiles): Promise<Exclusion | null> {
  const folder = await folderAround(uri);
  if (folder === null) return null;
  const path = posix.relative(folder.root.path, uri.path);
  if (path === '' || path === '..' || path.startsWith('../')) return null;
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
    for (const root of [folder.uri, (await realUri(folder.uri)) ?? folder.uri]) {
      if (root.scheme === uri.scheme && root.authority === uri.authority && isBelowAnyCase(root.path, uri.path)) {
        return { uri: folder.uri, root };
      }
    }
  }
  return null;
}

function isBelowAnyCase(root: string, path: string): boolean {
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
