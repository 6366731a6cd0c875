/** The parts of a path with `/` as separator. `ending` is the extension, without a dot. */
export interface PathParts {
  readonly folder: string;
  readonly name: string;
  readonly ending: string;
}

/** The naming convention of tests in a package: the text before and after the name of the tested file. */
export interface Naming {
  readonly before: string;
  readonly after: string;
}

/** A test file, and the name of the file that it tests. */
export interface TestFile extends Naming {
  readonly file: string;
  readonly folder: string;
  readonly tested: string;
}

const names = [
  [/^(.+)\.test$/, '', '.test'],
  [/^(.+)\.spec$/, '', '.spec'],
  [/^test_(.+)$/, 'test_', ''],
  [/^(.+)_test$/, '', '_test'],
  [/^(.+)_spec$/, '', '_spec'],
  [/^([A-Z].*)Tests$/, '', 'Tests'],
  [/^([A-Z].*)Test$/, '', 'Test'],
] as const;

/** Folders whose files may be tests even if their names do not show it. */
const folders = ['__tests__', 'tests', 'test', 'spec'];
/** Component languages whose tests are scripts. */
const components = ['vue', 'svelte', 'astro'];
const script = /^[cm]?[jt]sx?$/;

export function partsOf(path: string): PathParts {
  const slash = path.lastIndexOf('/');
  const file = path.slice(slash + 1);
  const dot = file.lastIndexOf('.');
  return {
    folder: path.slice(0, Math.max(0, slash)),
    name: dot > 0 ? file.slice(0, dot) : file,
    ending: dot > 0 ? file.slice(dot + 1) : '',
  };
}

export function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/**
 * Whether files with these extensions share conventions: TypeScript and JavaScript variants do, and components, which
 * are tested in them.
 */
export function isSameKind(one: string, other: string): boolean {
  const isScript = (ending: string): boolean => script.test(ending) || components.includes(ending);
  return one === other || (isScript(one) && isScript(other));
}

/** The extensions of files whose tests and sources share conventions with this extension. */
export function endingsLike(ending: string): readonly string[] {
  if (!script.test(ending) && !components.includes(ending)) return [ending];
  return ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs', ...components];
}

/** The extension of the test of a file. */
export function testEnding(ending: string, files: readonly PathParts[]): string {
  if (!components.includes(ending)) return ending;
  return files.some((file) => file.ending === 'ts') ? 'ts' : 'js';
}

/** The last folder of a path that has the name of a test folder, or undefined if there is none. */
export function testFolderOf(folder: string): string | undefined {
  return folder.split('/').findLast((name) => folders.includes(name));
}

/**
 * Returns the test that a file is, or null for another file. A file without a test name is a test if it is in a test
 * folder and has the name of one of `sources`.
 */
export function testOf(file: string, sources: ReadonlySet<string>): TestFile | null {
  const { folder, name } = partsOf(file);
  for (const [pattern, before, after] of names) {
    const tested = pattern.exec(name)?.[1];
    if (tested !== undefined) return { file, folder, tested, before, after };
  }
  const isTest = testFolderOf(folder) !== undefined && sources.has(name);
  return isTest ? { file, folder, tested: name, before: '', after: '' } : null;
}
