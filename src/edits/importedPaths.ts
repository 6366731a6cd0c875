/**
 * Where the files that a file imports would be, by the ways of its language. Paths are below the workspace folder, with `/`;
 * whether there is such a file, the caller looks.
 */
export type Imported =
  /** The first of these paths that exists. */
  | { readonly is: 'file'; readonly paths: readonly string[] }
  /**
   * Files with this ending in the first of these folders that exists: those whose names the importing file has as words
   * (`byName`), or all of them.
   */
  | { readonly is: 'folder'; readonly folders: readonly string[]; readonly ending: string; readonly byName: boolean };

/** How many lines from the beginning of a file are searched for imports, and how much of each. */
export const maxLines = 200;
const maxLine = 500;
/** How many imports count, and how many paths of all of them together: each is looked for. */
const maxImports = 40;
const maxPaths = 2_000;
/** How many names a path that a file names may have, and in how many of the folders around the file it may be. */
const maxParts = 12;

/** `lines` have one space where the file has white space. Imports are read one by one: a line can name hundreds. */
type Reader = (lines: readonly string[], folder: string, module: string | null) => Generator<Imported>;

const readers: Readonly<Record<string, Reader>> = {
  typescript: scripts,
  typescriptreact: scripts,
  javascript: scripts,
  javascriptreact: scripts,
  vue: scripts,
  svelte: scripts,
  python,
  java: jvm('java'),
  kotlin: jvm('kt'),
  go,
  csharp,
};

export function importsFiles(languageId: string): boolean {
  return Object.hasOwn(readers, languageId);
}

/**
 * What a file imports from its workspace folder, in its order. `path` is its own; `module`: for Go, the folder of its
 * `go.mod` and the name there, as `folder name`.
 */
export function importedPaths(
  text: readonly string[],
  languageId: string,
  path: string,
  module: string | null = null,
): readonly Imported[] {
  const reader = Object.hasOwn(readers, languageId) ? readers[languageId] : undefined;
  if (reader === undefined) return [];
  // A pattern could begin and end anywhere in a run of spaces: these are removed first.
  const lines = text.slice(0, maxLines).map((line) => line.slice(0, maxLine).replace(/\s+/g, ' '));
  const found: Imported[] = [];
  let paths = 0;
  for (const imported of reader(lines, folderOf(path), module)) {
    paths += (imported.is === 'file' ? imported.paths : imported.folders).length;
    if (found.length === maxImports || paths > maxPaths) break;
    found.push(imported);
  }
  return found;
}

const scriptEndings = ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs', 'vue', 'svelte'];

function* scripts(lines: readonly string[], folder: string): Generator<Imported> {
  for (const line of lines) {
    if (!/\b(?:import|export|require|from)\b/.test(line)) continue;
    for (const [, , to = ''] of line.matchAll(
      /(?:\bfrom ?|\bimport ?\(? ?|\brequire ?\( ?)(["'])(\.[^"']{0,300})\1/g,
    )) {
      const at = below(folder, to);
      if (at !== null) yield { is: 'file', paths: scriptPaths(at) };
    }
  }
}

function scriptPaths(at: string): readonly string[] {
  const ending = /\.(\w+)$/.exec(at)?.[1] ?? '';
  const stem = at.slice(0, -ending.length - 1);
  // TypeScript imports a source by the name of what it is compiled to.
  const source = { js: ['ts', 'tsx'], jsx: ['tsx'], mjs: ['mts'], cjs: ['cts'] }[ending] ?? [];
  const asWritten = scriptEndings.includes(ending) ? [at, ...source.map((each) => `${stem}.${each}`)] : [];
  const added = scriptEndings.map((each) => `${at}.${each}`);
  const index = scriptEndings.map((each) => joined(at, `index.${each}`));
  return [...asWritten, ...added, ...index];
}

function* python(lines: readonly string[], folder: string): Generator<Imported> {
  for (const line of lines) {
    const [, dots, from = '', names = ''] = /^ ?from (\.*)(\w[\w.]*)? import \(? ?([\w ,.*]*)/.exec(line) ?? [];
    if (dots !== undefined) {
      const parts = partsOf(from);
      const roots = dots === '' ? upwards(folder) : [up(folder, dots.length - 1)].filter((root) => root !== null);
      if (parts === null) continue;
      const modules = names
        .split(',')
        .map((name) => /^ ?(\w+)/.exec(name)?.[1] ?? '')
        .filter((name) => name !== '');
      for (const name of modules) yield pythonFile(roots, [...parts, name], parts);
      if (modules.length === 0 && parts.length > 0) yield pythonFile(roots, parts, parts);
    } else {
      const [, all = ''] = /^ ?import ([\w., ]+)/.exec(line) ?? [];
      for (const name of all.split(',')) {
        const parts = partsOf(/^ ?([\w.]+)/.exec(name)?.[1] ?? '');
        if (parts !== null && parts.length > 0) yield pythonFile(upwards(folder), parts, parts);
      }
    }
  }
}

/** A name is a module of the package, else something in the package's own file. */
function pythonFile(roots: readonly string[], name: readonly string[], parts: readonly string[]): Imported {
  const files = (path: readonly string[], root: string): readonly string[] =>
    path.length === 0 ? [] : [joined(root, `${path.join('/')}.py`), joined(root, [...path, '__init__.py'].join('/'))];
  return { is: 'file', paths: roots.flatMap((root) => [...files(name, root), ...files(parts, root)]) };
}

/** Java and Kotlin: packages are folders below the root of the sources, of the tests or of what they test. */
function jvm(ending: string): Reader {
  return function* (lines, folder) {
    const own = lines.map((line) => /^ ?package ([\w.]+)/.exec(line)?.[1]).find((name) => name !== undefined);
    const packaged = (own ?? '').replaceAll('.', '/');
    if (own !== undefined && folder !== packaged && !folder.endsWith(`/${packaged}`)) return;
    const root = own === undefined ? folder : folder.slice(0, Math.max(0, folder.length - packaged.length - 1));
    const roots = [...new Set([root, root.replace(/(^|\/)test(\/|$)/, '$1main$2')])];
    for (const line of lines) {
      const [, isStatic, name = '', all] = /^ ?import (static )?([\w.]+?)(\.\*)? ?;? ?$/.exec(line) ?? [];
      if (name === '' || /^(?:javax?|kotlin|android)\./.test(name)) continue;
      const parts = name.split('.');
      const path = (isStatic !== undefined && all === undefined ? parts.slice(0, -1) : parts).join('/');
      if (all !== undefined && isStatic === undefined)
        yield { is: 'folder', folders: roots.map((each) => joined(each, path)), ending, byName: true };
      else yield { is: 'file', paths: roots.map((each) => joined(each, `${path}.${ending}`)) };
    }
  };
}

function* go(lines: readonly string[], _folder: string, module: string | null): Generator<Imported> {
  const [, root = '', name = ''] = /^(.*) (\S+)$/.exec(module ?? '') ?? [];
  if (name === '') return;
  for (const line of lines) {
    const [, to = ''] = /^ ?(?:import )?(?:[\w.]+ )?"([\w./~-]{1,300})" ?(?:\/\/.*)?$/.exec(line) ?? [];
    if (!to.startsWith(`${name}/`)) continue;
    const at = below(root, to.slice(name.length + 1));
    if (at !== null) yield { is: 'folder', folders: [at], ending: 'go', byName: false };
  }
}

/** Namespaces are usually folders: the last parts of one are the end of the path. */
function* csharp(lines: readonly string[], folder: string): Generator<Imported> {
  for (const line of lines) {
    const [, name = ''] = /^ ?(?:global )?using (?:static )?([\w.]+) ?;/.exec(line) ?? [];
    const parts = partsOf(name);
    if (parts === null || parts.length === 0 || /^(?:System|Microsoft)\b/.test(name)) continue;
    // The folder of a project has the whole name: `Shop.Pay/Model` for `Shop.Pay.Model`.
    const projects = parts.map((_, to) => [parts.slice(0, to + 1).join('.'), ...parts.slice(to + 1)].join('/'));
    const ends = [...new Set([...projects, ...parts.map((_, from) => parts.slice(from).join('/'))])];
    const folders = upwards(folder).flatMap((root) => ends.map((end) => joined(root, end)));
    yield { is: 'folder', folders, ending: 'cs', byName: true };
  }
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function joined(folder: string, path: string): string {
  return folder === '' ? path : path === '' ? folder : `${folder}/${path}`;
}

/** The names in a name with dots; null if there are too many. */
function partsOf(name: string): readonly string[] | null {
  const parts = name.split('.').filter((part) => part !== '');
  return parts.length > maxParts ? null : parts;
}

/** A folder and those around it, to the workspace folder. */
function upwards(folder: string): readonly string[] {
  const parts = folder === '' ? [] : folder.split('/');
  const around = parts.slice(0, maxParts).map((_, index) => parts.slice(0, parts.length - index).join('/'));
  return [...around, ''];
}

function up(folder: string, levels: number): string | null {
  const parts = folder === '' ? [] : folder.split('/');
  return levels > parts.length ? null : parts.slice(0, parts.length - levels).join('/');
}

/** A relative path from a folder; null where it leads out of the workspace folder. */
function below(folder: string, to: string): string | null {
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of to.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return null;
    } else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
