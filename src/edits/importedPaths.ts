/**
 * The candidate paths of an imported file, by the conventions of the language. Paths are relative to the workspace folder,
 * with `/`. The caller checks which of the files exist.
 */
export type Imported =
  /** The first of these paths that exists. */
  | { readonly is: 'file'; readonly paths: readonly string[] }
  /**
   * Files with this extension in the first of these folders that exists: all of them, or with `byName`, those whose
   * names occur as words in the importing file.
   */
  | {
      readonly is: 'folder';
      readonly folders: readonly string[];
      readonly extension: string;
      readonly byName: boolean;
    };

/**
 * The maximum number of lines from the beginning of a file that are searched for imports, and the maximum length of
 * each.
 */
export const maxLines = 200;
const maxLine = 500;
/** The maximum number of imports, and of paths for all of them together, because each path is looked up. */
const maxImports = 40;
const maxPaths = 2_000;
/** The maximum number of segments of an imported path, and of parent folders in which it is looked up. */
const maxParts = 12;

/**
 * Reads the imports in lines whose runs of white space are single spaces. A generator, so that the caller can stop early: a
 * line can contain hundreds of imports.
 */
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

export function supportsImports(languageId: string): boolean {
  return Object.hasOwn(readers, languageId);
}

/**
 * Returns the files that a file imports from its workspace folder, in order. `path` is the file's own path. `module` is for Go
 * only: `<folder of go.mod> <module path>`.
 */
export function importedPaths(
  text: readonly string[],
  languageId: string,
  path: string,
  module: string | null = null,
): readonly Imported[] {
  const reader = Object.hasOwn(readers, languageId) ? readers[languageId] : undefined;
  if (reader === undefined) return [];
  // Runs of white space are collapsed first, so that the patterns cannot backtrack in them.
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

const scriptExtensions = ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs', 'vue', 'svelte'];

function* scripts(lines: readonly string[], folder: string): Generator<Imported> {
  for (const line of lines) {
    if (!/\b(?:import|export|require|from)\b/.test(line)) continue;
    for (const [, , to = ''] of line.matchAll(
      /(?:\bfrom ?|\bimport ?\(? ?|\brequire ?\( ?)(["'])(\.[^"']{0,300})\1/g,
    )) {
      const at = resolveIn(folder, to);
      if (at !== null) yield { is: 'file', paths: scriptPaths(at) };
    }
  }
}

function scriptPaths(at: string): readonly string[] {
  const ending = /\.(\w+)$/.exec(at)?.[1] ?? '';
  const stem = at.slice(0, -ending.length - 1);
  // TypeScript imports a source file by the name of its compiled file.
  const source = { js: ['ts', 'tsx'], jsx: ['tsx'], mjs: ['mts'], cjs: ['cts'] }[ending] ?? [];
  const asWritten = scriptExtensions.includes(ending) ? [at, ...source.map((each) => `${stem}.${each}`)] : [];
  const added = scriptExtensions.map((each) => `${at}.${each}`);
  const index = scriptExtensions.map((each) => joined(at, `index.${each}`));
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

/** An imported name is a module of the package, or else something in the package's own file. */
function pythonFile(roots: readonly string[], name: readonly string[], parts: readonly string[]): Imported {
  const files = (path: readonly string[], root: string): readonly string[] =>
    path.length === 0 ? [] : [joined(root, `${path.join('/')}.py`), joined(root, [...path, '__init__.py'].join('/'))];
  return { is: 'file', paths: roots.flatMap((root) => [...files(name, root), ...files(parts, root)]) };
}

/** Java and Kotlin: packages are folders below a source root: of the main code, or of the tests beside it. */
function jvm(extension: string): Reader {
  return function* (lines, folder) {
    const packageName = lines.map((line) => /^ ?package ([\w.]+)/.exec(line)?.[1]).find((name) => name !== undefined);
    const packaged = (packageName ?? '').replaceAll('.', '/');
    if (packageName !== undefined && folder !== packaged && !folder.endsWith(`/${packaged}`)) return;
    const root = packageName === undefined ? folder : folder.slice(0, Math.max(0, folder.length - packaged.length - 1));
    const roots = [...new Set([root, root.replace(/(^|\/)test(\/|$)/, '$1main$2')])];
    for (const line of lines) {
      const [, isStatic, name = '', all] = /^ ?import (static )?([\w.]+?)(\.\*)? ?;? ?$/.exec(line) ?? [];
      if (name === '' || /^(?:javax?|kotlin|android)\./.test(name)) continue;
      const parts = name.split('.');
      const path = (isStatic !== undefined && all === undefined ? parts.slice(0, -1) : parts).join('/');
      if (all !== undefined && isStatic === undefined)
        yield { is: 'folder', folders: roots.map((each) => joined(each, path)), extension, byName: true };
      else yield { is: 'file', paths: roots.map((each) => joined(each, `${path}.${extension}`)) };
    }
  };
}

function* go(lines: readonly string[], _folder: string, module: string | null): Generator<Imported> {
  const [, root = '', name = ''] = /^(.*) (\S+)$/.exec(module ?? '') ?? [];
  if (name === '') return;
  for (const line of lines) {
    const [, to = ''] = /^ ?(?:import )?(?:[\w.]+ )?"([\w./~-]{1,300})" ?(?:\/\/.*)?$/.exec(line) ?? [];
    if (!to.startsWith(`${name}/`)) continue;
    const at = resolveIn(root, to.slice(name.length + 1));
    if (at !== null) yield { is: 'folder', folders: [at], extension: 'go', byName: false };
  }
}

/** Namespaces are usually folders: the last parts of a namespace are the end of the path. */
function* csharp(lines: readonly string[], folder: string): Generator<Imported> {
  for (const line of lines) {
    const [, name = ''] = /^ ?(?:global )?using (?:static )?([\w.]+) ?;/.exec(line) ?? [];
    const parts = partsOf(name);
    if (parts === null || parts.length === 0 || /^(?:System|Microsoft)\b/.test(name)) continue;
    // A project folder has the whole name: `Shop.Pay/Model` for `Shop.Pay.Model`.
    const projects = parts.map((_, to) => [parts.slice(0, to + 1).join('.'), ...parts.slice(to + 1)].join('/'));
    const ends = [...new Set([...projects, ...parts.map((_, from) => parts.slice(from).join('/'))])];
    const folders = upwards(folder).flatMap((root) => ends.map((end) => joined(root, end)));
    yield { is: 'folder', folders, extension: 'cs', byName: true };
  }
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function joined(folder: string, path: string): string {
  return folder === '' ? path : path === '' ? folder : `${folder}/${path}`;
}

/** Returns the parts of a dotted name, or null if there are too many. */
function partsOf(name: string): readonly string[] | null {
  const parts = name.split('.').filter((part) => part !== '');
  return parts.length > maxParts ? null : parts;
}

/** Returns a folder and its parent folders, up to the workspace folder. */
function upwards(folder: string): readonly string[] {
  const parts = folder === '' ? [] : folder.split('/');
  const around = parts.slice(0, maxParts).map((_, index) => parts.slice(0, parts.length - index).join('/'));
  return [...around, ''];
}

function up(folder: string, levels: number): string | null {
  const parts = folder === '' ? [] : folder.split('/');
  return levels > parts.length ? null : parts.slice(0, parts.length - levels).join('/');
}

/** Resolves a relative path against a folder. Returns null if it leaves the workspace folder. */
function resolveIn(folder: string, to: string): string | null {
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of to.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return null;
    } else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
