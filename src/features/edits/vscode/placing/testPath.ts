import {
  isSameKind,
  join,
  type Naming,
  type PathParts,
  partsOf,
  type TestFile,
  testEnding,
  testFolderOf,
  testOf,
} from './testConvention.ts';
import { mirrorOf, placeOf, type TestPlace } from './testPlace.ts';

/** Files at the root of a package. */
export const manifests = [
  ...[
    'package.json',
    'pyproject.toml',
    'setup.py',
    'setup.cfg',
    'go.mod',
    'pom.xml',
    'build.gradle',
    'build.gradle.kts',
  ],
  ...['Cargo.toml', 'composer.json', 'Gemfile', 'mix.exs', 'pubspec.yaml', 'Package.swift', 'build.sbt'],
] as const;
const isManifest = (file: string): boolean =>
  manifests.some((name) => file === name || file.endsWith(`/${name}`)) || /\.(?:cs|fs|vb)proj$/.test(file);

const usualNaming: Readonly<Record<string, readonly [before: string, after: string]>> = {
  py: ['test_', ''],
  go: ['', '_test'],
  rb: ['', '_spec'],
  java: ['', 'Test'],
  kt: ['', 'Test'],
  scala: ['', 'Test'],
  php: ['', 'Test'],
  swift: ['', 'Tests'],
  cs: ['', 'Tests'],
  dart: ['', '_test'],
};

/** The path for the tests of a file. */
interface TestPath {
  /** An existing test of the file, the file itself if it is a test, or a new file. */
  readonly path: string;
  /** A test of the same package as a style sample, if there is no test of the file yet. */
  readonly sample: string | null;
}

/**
 * The path for the tests of a source file: the path of its test, if there is one; or else a path by the convention of
 * the nearest package that has tests in the same language. Paths are relative to the workspace folder, with `/`;
 * `files` has the sources, the tests and the manifests of packages.
 */
export function testPathFor(source: string, files: readonly string[]): TestPath {
  const sourceParts = partsOf(source);
  const alike = files.filter((file) => isSameKind(partsOf(file).ending, sourceParts.ending));
  const plain = alike.map(partsOf).filter(({ folder }) => testFolderOf(folder) === undefined);
  const sourceNames = new Set([
    ...plain.map(({ name }) => name),
    ...(testFolderOf(sourceParts.folder) ? [] : [sourceParts.name]),
  ]);
  if (testOf(source, sourceNames) !== null) return { path: source, sample: null };
  const tests = alike.map((file) => testOf(file, sourceNames)).filter((test) => test !== null);
  const isTest = new Set(tests.map(({ file }) => file));
  const sources = [...alike.filter((file) => !isTest.has(file) && file !== source).map(partsOf), sourceParts];

  const existing = testOfSource(sourceParts, tests, sources);
  if (existing !== undefined) return { path: existing.file, sample: null };
  const roots = files.filter(isManifest).map((file) => partsOf(file).folder);
  const near = nearestTests(source, tests, roots);
  const naming = largestGroup(near, ({ before, after }) => `${before}|${after}`)[0];
  const ending = testEnding(sourceParts.ending, alike.map(partsOf));
  const asUsual = { path: usualPath(sourceParts, ending, alike, rootOf(source, roots)), sample: null };
  if (naming === undefined) return asUsual;
  const named = near.filter(({ before, after }) => before === naming.before && after === naming.after);
  const folder = folderFor(sourceParts.folder, named, sources) ?? sourceParts.folder;
  const path = join(folder, fileName(naming, sourceParts.name, ending));
  // Tests without a test name are recognized by their folder, which cannot be derived from these.
  if (path === source) return asUsual;
  // The file may exist as the test of a file with the same name.
  if (files.includes(path)) return { path, sample: null };
  const samples = named.filter(({ file }) => rootOf(file, roots) === rootOf(source, roots));
  return { path, sample: closest(path, samples.length > 0 ? samples : named) };
}

function fileName({ before, after }: Naming, name: string, ending: string): string {
  return `${before}${name}${after}.${ending}`;
}

/**
 * The test of exactly this file: beside it, in a folder inside, or in a test folder that mirrors the source folders.
 */
function testOfSource(
  sourceParts: PathParts,
  tests: readonly TestFile[],
  sources: readonly PathParts[],
): TestFile | undefined {
  const namesakes = sources.filter(({ name }) => name === sourceParts.name).length;
  const rankOf = (test: TestFile): number => {
    const { key } = placeOf(test, [sourceParts]);
    if (key === 'beside') return 0;
    if (key.startsWith('inside ')) return 1;
    const { common } = mirrorOf(sourceParts.folder, test.folder);
    // A file of the same name in another folder may be the file under test.
    if (testFolderOf(test.folder) === undefined) return Number.POSITIVE_INFINITY;
    return common > 0 ? 100 - Math.min(common, 90) : namesakes === 1 ? 101 : Number.POSITIVE_INFINITY;
  };
  return tests
    .filter(({ tested }) => tested === sourceParts.name)
    .map((test) => ({ test, rank: rankOf(test) }))
    .filter(({ rank }) => rank < Number.POSITIVE_INFINITY)
    .toSorted((a, b) => a.rank - b.rank)[0]?.test;
}

/**
 * The tests of the nearest package that has any: those of its own package, or else those in the nearest folder above
 * it.
 */
function nearestTests(source: string, tests: readonly TestFile[], roots: readonly string[]): readonly TestFile[] {
  const root = rootOf(source, roots);
  const testsOfPackage = tests.filter(({ file }) => rootOf(file, roots) === root);
  if (testsOfPackage.length > 0) return testsOfPackage;
  for (let folder = root; ; folder = partsOf(folder).folder) {
    const below = tests.filter(({ file }) => folder === '' || file.startsWith(`${folder}/`));
    if (below.length > 0 || folder === '') return below;
  }
}

/** The folder of the package that a file belongs to, or the workspace folder if there is no other. */
function rootOf(file: string, roots: readonly string[]): string {
  return roots
    .filter((root) => root === '' || file.startsWith(`${root}/`))
    .reduce((longest, root) => (root.length > longest.length ? root : longest), '');
}

/** The folder by the rule that most tests follow, among the rules that determine a folder for this source. */
function folderFor(source: string, tests: readonly TestFile[], sources: readonly PathParts[]): string | null {
  const places = tests.map((test) => placeOf(test, sources));
  const determined = places
    .map((place) => ({ place, folder: place.folder(source) }))
    .filter(({ folder }) => folder !== null);
  const isFixed = ({ place }: { readonly place: TestPlace }): boolean => place.key.startsWith('in ');
  // A test without a source only shows a folder with tests.
  const relevant = determined.some((each) => !isFixed(each)) ? determined.filter((each) => !isFixed(each)) : determined;
  return largestGroup(relevant, ({ place }) => place.key)[0]?.folder ?? null;
}

/** Returns the members of the largest group. */
function largestGroup<T>(items: readonly T[], key: (item: T) => string): readonly T[] {
  return [...Map.groupBy(items, key).values()].sort((a, b) => b.length - a.length)[0] ?? [];
}

/** The test with the most folders in common with a path. */
function closest(path: string, tests: readonly TestFile[]): string | null {
  const folders = partsOf(path).folder.split('/');
  const inCommon = ({ folder }: TestFile): number => {
    const differs = folder.split('/').findIndex((name, index) => name !== folders[index]);
    return differs === -1 ? folder.split('/').length : differs;
  };
  return tests.toSorted((a, b) => inCommon(b) - inCommon(a))[0]?.file ?? null;
}

/** The path of the first test in a package without tests. */
function usualPath(
  { folder, name, ending }: PathParts,
  testsEnding: string,
  files: readonly string[],
  root: string,
): string {
  const [before, after] = usualNaming[ending] ?? ['', '.test'];
  const file = fileName({ before, after }, name, testsEnding);
  // The layout of Maven, which Gradle and sbt share.
  const java = /(^|\/)src\/main\/(java|kotlin|scala)(?=\/|$)/;
  if (java.test(folder)) return join(folder.replace(java, '$1src/test/$2'), file);
  const tests = ['tests', 'test', 'spec'].find((each) => files.some((one) => one.startsWith(`${join(root, each)}/`)));
  return ending === 'go' || tests === undefined ? join(folder, file) : join(join(root, tests), file);
}
