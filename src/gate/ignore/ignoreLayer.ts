import { type Ignored, type IgnoreFileKind, IgnoreFolder, type IgnoreRules } from './ignoreFolder.ts';
import type { GitReading, PatternList } from './patternList.ts';
import type { Unread } from './patterns.ts';
import type { Work } from './wildmatch.ts';

/** An ignore file that exists. */
export interface FoundFile {
  readonly by: IgnoreFileKind;
  readonly path: string;
  readonly file: PatternList | Unread;
}

/** Evaluates a list of ignore files under one reading; its answers are independent of other readers. */
interface Reader {
  readonly reading: GitReading;
  readonly folder: IgnoreFolder;
}

/**
 * A folder as seen by the ignore files of one name (`.gitignore`, or `.svcignore`), from the root of a repository on. A
 * file that any reading ignores is ignored.
 */
export class IgnoreLayer {
  readonly #readers: readonly Reader[];
  readonly #unread: Ignored | null;

  constructor(readers: readonly Reader[], unread: Ignored | null) {
    this.#readers = readers;
    this.#unread = unread;
  }

  /**
   * `lists` are the root's lists of files, each with the strongest first. Each pair of a reading and a list becomes one reader.
   */
  static root(readings: readonly GitReading[], lists: readonly (readonly FoundFile[])[]): IgnoreLayer {
    const readers = readings.flatMap((reading) =>
      lists.map((files) => ({ reading, folder: IgnoreFolder.root(rulesOf(files), reading) })),
    );
    return new IgnoreLayer(readers, unreadIn(lists.flat()));
  }

  folder(name: string, file: FoundFile | null): IgnoreLayer {
    const files = file === null ? [] : [file];
    return new IgnoreLayer(
      this.#readers.map(({ reading, folder }) => ({ reading, folder: folder.folder(name, rulesOf(files)) })),
      this.#unread ?? unreadIn(files),
    );
  }

  /** Returns what ignores the folder itself, or null. Without work left, the answer is only that it is used up. */
  askItself(work: Work): Ignored | null {
    return this.#first((folder) => folder.askItself(work));
  }

  ask(name: string, isFolder: boolean, work: Work): Ignored | null {
    return this.#first((folder) => folder.ask(name, isFolder, work));
  }

  #first(ask: (folder: IgnoreFolder) => Ignored | null): Ignored | null {
    if (this.#unread !== null) return this.#unread;
    for (const { folder } of this.#readers) {
      const found = ask(folder);
      if (found !== null) return found;
    }
    return null;
  }
}

function rulesOf(files: readonly FoundFile[]): readonly IgnoreRules[] {
  return files.flatMap(({ by, path, file }) =>
    typeof file === 'string' ? [] : [{ by, source: path, patterns: file }],
  );
}

function unreadIn(files: readonly FoundFile[]): Ignored | null {
  for (const { by, path, file } of files) {
    if (typeof file === 'string') return { by, source: path, line: null, why: file };
  }
  return null;
}
