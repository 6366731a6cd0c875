/** A test naming convention: what precedes and follows the name of the tested file, and the folder. */
interface Convention {
  readonly before: string;
  readonly after: string;
  /** Maps the folder of the source file to the folder of its test. */
  readonly folder: (source: string) => string;
  readonly key: string;
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

const usual: Readonly<Record<string, readonly [before: string, after: string]>> = {
  py: ['test_', ''],
  go: ['', '_test'],
  rb: ['', '_spec'],
  java: ['', 'Test'],
  kt: ['', 'Test'],
  cs: ['', 'Tests'],
  dart: ['', '_test'],
};

/**
 * The path for the tests of a source file, and an existing test as a style sample, by the convention of most tests with
 * the same extension in the workspace. Paths are relative to the workspace folder, with `/`.
 */
export function testPathFor(
  source: string,
  files: readonly string[],
): { readonly path: string; readonly sample: string | null } {
  const { folder, name, ending } = split(source);
  const tests = files.flatMap((file) => {
    const parts = split(file);
    const convention = sameKind(parts.ending, ending) ? conventionOf(parts, files) : null;
    return convention === null ? [] : [{ file, convention }];
  });
  const counts = Map.groupBy(tests, ({ convention }) => convention.key);
  const [most] = [...counts.values()].sort((a, b) => b.length - a.length);
  const chosen = most?.[0];
  if (chosen === undefined) {
    const [before, after] = usual[ending] ?? ['', '.test'];
    return { path: join(folder, `${before}${name}${after}.${ending}`), sample: null };
  }
  const { before, after, folder: folderFor } = chosen.convention;
  const path = join(folderFor(folder), `${before}${name}${after}.${ending}`);
  const near = tests.find(({ file }) => split(file).folder === split(path).folder && file !== path);
  return { path, sample: near?.file ?? (chosen.file === path ? null : chosen.file) };
}

/** The convention that a test file follows; null where the file is not a test. */
function conventionOf(test: ReturnType<typeof split>, files: readonly string[]): Convention | null {
  for (const [pattern, before, after] of names) {
    const tested = pattern.exec(test.name)?.[1];
    if (tested === undefined) continue;
    const place = placeOf(test, tested, files);
    return { before, after, ...place, key: `${before}|${after}|${place.key}` };
  }
  return null;
}

function placeOf(
  test: ReturnType<typeof split>,
  tested: string,
  files: readonly string[],
): Pick<Convention, 'folder' | 'key'> {
  const sources = files.map(split).filter(({ name, ending }) => name === tested && sameKind(ending, test.ending));
  if (sources.some(({ folder }) => folder === test.folder)) return { folder: (source) => source, key: 'beside' };
  const inside = /(?:^|\/)(__tests__|tests?|spec)$/.exec(test.folder)?.[1];
  if (inside !== undefined && sources.some(({ folder }) => join(folder, inside) === test.folder)) {
    return { folder: (source) => join(source, inside), key: `inside ${inside}` };
  }
  for (const { folder } of sources) {
    // Their common trailing folders: src/a/b and test/unit/a/b.
    const [own, its] = [folder.split('/'), test.folder.split('/')];
    let common = 0;
    while (common < Math.min(own.length, its.length) - 1 && own.at(-1 - common) === its.at(-1 - common)) common += 1;
    const from = own.slice(0, own.length - common).join('/');
    const to = its.slice(0, its.length - common).join('/');
    const mirrored = (source: string): string =>
      source === from ? to : source.startsWith(`${from}/`) ? to + source.slice(from.length) : source;
    return { folder: mirrored, key: `${from} -> ${to}` };
  }
  return { folder: () => test.folder, key: `in ${test.folder}` };
}

function split(path: string): { readonly folder: string; readonly name: string; readonly ending: string } {
  const slash = path.lastIndexOf('/');
  const file = path.slice(slash + 1);
  const dot = file.lastIndexOf('.');
  return {
    folder: path.slice(0, Math.max(0, slash)),
    name: dot > 0 ? file.slice(0, dot) : file,
    ending: dot > 0 ? file.slice(dot + 1) : '',
  };
}

/** TypeScript and JavaScript variants share conventions. */
function sameKind(one: string, other: string): boolean {
  const script = /^[cm]?[jt]sx?$/;
  return one === other || (script.test(one) && script.test(other));
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
