import { type IgnoredBy, type IgnoreFileKind, IgnoreFolder, type IgnoreRules } from './ignoreFolder.ts';
import type { GitReading } from './patterns.ts';
import type { RuleFile } from './ruleFiles.ts';

/** An ignore file that exists. */
export interface FoundFile {
  readonly by: IgnoreFileKind;
  readonly path: string;
  readonly file: RuleFile | 'unreadable';
}

/** Evaluates a list of ignore files under one reading; its answers are independent of other readers. */
interface Reader {
  readonly reading: GitReading;
  readonly folder: IgnoreFolder;
}

/** Why a file is excluded: by a pattern, or because an ignore file above it could not be read. */
export type Ignored = IgnoredBy | { readonly by: IgnoreFileKind; readonly source: string; readonly line: null };

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
   * `lists` are those of the root, each with the strongest first. Each pair of a reading and a list becomes one reader.
   */
  static root(readings: readonly GitReading[], lists: readonly (readonly FoundFile[])[]): IgnoreLayer {
    const readers = readings.flatMap((reading) =>
      lists.map((files) => ({ reading, folder: IgnoreFolder.root(rulesOf(files, reading), reading) })),
    );
    return new IgnoreLayer(readers, unreadIn(lists.flat(), readings));
  }

  folder(name: string, file: FoundFile | null): IgnoreLayer {
    const files = file === null ? [] : [file];
    const readings = this.#readers.map(({ reading }) => reading);
    return new IgnoreLayer(
      this.#readers.map(({ reading, folder }) => ({ reading, folder: folder.folder(name, rulesOf(files, reading)) })),
      this.#unread ?? unreadIn(files, readings),
    );
  }

  ask(name: string, isFolder: boolean): Ignored | null {
    if (this.#unread !== null) return this.#unread;
    for (const { folder } of this.#readers) {
      const found = folder.ask(name, isFolder);
      if (found !== null) return found;
    }
    return null;
  }
}

function rulesOf(files: readonly FoundFile[], reading: GitReading): readonly IgnoreRules[] {
  return files.flatMap(({ by, path, file }) => {
    const patterns = file === 'unreadable' ? null : file.patterns(reading);
    return patterns === null ? [] : [{ by, source: path, patterns }];
  });
}

function unreadIn(files: readonly FoundFile[], readings: readonly GitReading[]): Ignored | null {
  const unread = files.find(
    ({ file }) => file === 'unreadable' || readings.some((reading) => file.patterns(reading) === null),
  );
  return unread === undefined ? null : { by: unread.by, source: unread.path, line: null };
}
