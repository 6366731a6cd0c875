import { join, type PathParts, type TestFile, testFolderOf } from './testConvention.ts';

/** The place of a package's tests relative to their sources. */
export interface TestPlace {
  /** Returns the folder of the test for a source in this folder, or null if it cannot be determined. */
  readonly folder: (source: string) => string | null;
  /** Equal for tests that follow the same rule. */
  readonly key: string;
}

/** Returns the place of a test, given the sources that it may test. */
export function placeOf({ folder, tested }: TestFile, sources: readonly PathParts[]): TestPlace {
  const testedSources = sources.filter(({ name }) => name === tested);
  if (testedSources.some((source) => source.folder === folder)) return { folder: (source) => source, key: 'beside' };
  const inside = folder.slice(folder.lastIndexOf('/') + 1);
  if (testFolderOf(inside) !== undefined && testedSources.some((source) => join(source.folder, inside) === folder)) {
    return { folder: (source) => join(source, inside), key: `inside ${inside}` };
  }
  const [first] = testedSources.map((source) => mirrorOf(source.folder, folder)).sort((a, b) => b.common - a.common);
  if (first === undefined) return { folder: () => folder, key: `in ${folder}` };
  const { from, to } = first;
  return { folder: (source) => movedFrom(source, from, to), key: `${from} -> ${to}` };
}

interface Mirror {
  readonly from: string;
  readonly to: string;
  /** The number of trailing folders that the two paths have in common. */
  readonly common: number;
}

/** Returns two paths without their common trailing folders: `src` and `test/unit` for src/a/b and test/unit/a/b. */
export function mirrorOf(source: string, test: string): Mirror {
  const [sourceNames, testNames] = [source.split('/'), test.split('/')];
  let common = 0;
  while (
    common < Math.min(sourceNames.length, testNames.length) &&
    sourceNames.at(-1 - common) === testNames.at(-1 - common)
  )
    common += 1;
  const [from, to] = [sourceNames, testNames].map((names) => names.slice(0, names.length - common).join('/'));
  return { from: from ?? '', to: to ?? '', common };
}

function movedFrom(source: string, from: string, to: string): string | null {
  if (source === from) return to;
  if (from === '') return join(to, source);
  return source.startsWith(`${from}/`) ? join(to, source.slice(from.length + 1)) : null;
}
