import * as vscode from 'vscode';
import { type Imported, importedPaths, maxLines, supportsImports } from '../../../edits/importedPaths.ts';
import { isGone } from '../../../platform/files/isGone.ts';

/** The maximum number of files, of files in one folder, and of bytes of a file. */
const maxFiles = 12;
const maxPerFolder = 4;
const maxBytes = 24 * 1024;
/**
 * The maximum number of characters, from the beginning of a document, in which the names of files in a folder are
 * searched for.
 */
const maxSearched = 256 * 1024;

/**
 * The files of its workspace folder that a document imports directly, in the order of the imports. `textOf` reads a
 * file by the rules for content that the user did not choose.
 */
export async function importedFiles(
  document: vscode.TextDocument,
  textOf: (uri: vscode.Uri) => Promise<string>,
): Promise<readonly vscode.Uri[]> {
  const folder = vscode.workspace.getWorkspaceFolder(document.uri)?.uri;
  if (folder === undefined || !supportsImports(document.languageId)) return [];
  const text = document.getText(new vscode.Range(0, 0, maxLines, 0));
  const path = document.uri.path.slice(folder.path.replace(/\/$/, '').length + 1);
  const module = document.languageId === 'go' ? await goModule(folder, path, textOf) : null;
  const found = new Map<string, vscode.Uri>();
  const imports = importedPaths(text.split(/\r\n|\r|\n/), document.languageId, path, module);
  const isByName = imports.some((imported) => imported.is === 'folder' && imported.byName);
  const words = isByName ? wordsOf(document.getText().slice(0, maxSearched)) : new Set<string>();
  // All imports are checked in parallel, because each check of the disk is a message to VS Code.
  for (const uri of (await Promise.all(imports.map((imported) => filesOf(imported, folder, words)))).flat()) {
    if (found.size >= maxFiles) break;
    if (uri.toString() !== document.uri.toString() && (await isSmall(uri))) found.set(uri.toString(), uri);
  }
  return [...found.values()];
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/[\p{L}_][\p{L}\p{N}_]*/gu));
}

/** The files that an import refers to. `words` are those of the document. */
async function filesOf(
  imported: Imported,
  root: vscode.Uri,
  words: ReadonlySet<string>,
): Promise<readonly vscode.Uri[]> {
  const first = await firstOf(imported.is, imported.is === 'file' ? imported.paths : imported.folders, root);
  if (first === undefined) return [];
  return imported.is === 'file' ? [first] : filesIn(first, imported, words);
}

/** Returns the first of some paths that is a file, or a folder, as requested. */
async function firstOf(
  kind: 'file' | 'folder',
  paths: readonly string[],
  root: vscode.Uri,
): Promise<vscode.Uri | undefined> {
  const uris = paths.map((path) => vscode.Uri.joinPath(root, path));
  const kinds = await Promise.all(uris.map(typeOf));
  return uris[kinds.indexOf(kind)];
}

/** The sources of a folder that are named in the document, or all except its tests. */
async function filesIn(
  folder: vscode.Uri,
  { extension, byName }: Extract<Imported, { readonly is: 'folder' }>,
  words: ReadonlySet<string>,
): Promise<readonly vscode.Uri[]> {
  const entries = await vscode.workspace.fs.readDirectory(folder).then(
    (all) => all,
    () => [],
  );
  return entries
    .filter(([name, type]) => (type & vscode.FileType.File) !== 0 && name.endsWith(`.${extension}`))
    .map(([name]) => name)
    .filter((name) => {
      const stem = name.slice(0, -extension.length - 1);
      return byName ? words.has(stem) : !stem.endsWith('_test');
    })
    .sort()
    .slice(0, maxPerFolder)
    .map((name) => vscode.Uri.joinPath(folder, name));
}

/** Finds the nearest `go.mod` of a file. Returns its folder and the name of the module. */
async function goModule(
  root: vscode.Uri,
  path: string,
  textOf: (uri: vscode.Uri) => Promise<string>,
): Promise<string | null> {
  const parts = path.split('/').slice(0, -1);
  for (let count = parts.length; count >= 0; count -= 1) {
    const folder = parts.slice(0, count).join('/');
    const uri = vscode.Uri.joinPath(root, folder, 'go.mod');
    if (await isGone(uri)) continue;
    const name = /^module\s+"?([\w./~-]+)/m.exec(await textOf(uri))?.[1];
    return name === undefined ? null : `${folder} ${name}`;
  }
  return null;
}

async function isSmall(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    ({ size }) => size <= maxBytes,
    () => false,
  );
}

async function typeOf(uri: vscode.Uri): Promise<'file' | 'folder' | null> {
  const type = await vscode.workspace.fs.stat(uri).then(
    (stat) => stat.type,
    () => vscode.FileType.Unknown,
  );
  if ((type & vscode.FileType.File) !== 0) return 'file';
  return (type & vscode.FileType.Directory) === 0 ? null : 'folder';
}
