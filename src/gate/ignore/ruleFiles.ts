import { type IgnoreDisk, type Lookups, once } from './ignoreDisk.ts';
import type { PatternList } from './patternList.ts';
import { type GitReading, readPatterns } from './patterns.ts';

/** Larger than any list of rules: a larger file is not read, and excludes everything it could. */
const maxBytes = 4 * 1024 * 1024;

/** A file's patterns by reading, valid until the file changes. */
export interface RuleFile {
  /** Returns null if a pattern exceeds the limits. */
  patterns(reading: GitReading): PatternList | null;
}

interface Kept {
  readonly stamp: string;
  readonly isSettled: boolean;
  readonly bytes: Uint8Array;
  readonly file: RuleFile;
}

/** The ignore files of a disk. Their compiled rules are cached until they change, which is checked once per request. */
export class RuleFiles {
  readonly #disk: IgnoreDisk;
  readonly #kept = new Map<string, Kept>();

  constructor(disk: IgnoreDisk) {
    this.#disk = disk;
  }

  /** Returns null if there is none; `unreadable` if it exists but its rules are unknown. */
  get(path: string, lookups: Lookups): Promise<RuleFile | 'unreadable' | null> {
    return once(lookups, `rules ${path}`, async () => {
      try {
        return await this.#read(path, lookups);
      } catch {
        return 'unreadable';
      }
    });
  }

  async #read(path: string, lookups: Lookups): Promise<RuleFile | 'unreadable' | null> {
    const state = await this.#disk.stat(path, lookups);
    if (state === null) {
      this.#kept.delete(path);
      return null;
    }
    if (state.bytes > maxBytes) return 'unreadable';
    const kept = this.#kept.get(path);
    if (kept?.isSettled && kept.stamp === state.stamp) return kept.file;
    const bytes = await this.#disk.read(path);
    if (bytes.length > maxBytes) return 'unreadable';
    const isSame = kept !== undefined && Buffer.compare(kept.bytes, bytes) === 0;
    const file = isSame ? kept.file : ruleFile(bytes);
    this.#kept.set(path, { stamp: state.stamp, isSettled: state.isSettled, bytes, file });
    return file;
  }
}

function ruleFile(bytes: Uint8Array): RuleFile {
  const compiled = new Map<string, PatternList | null>();
  return {
    patterns(reading) {
      const key = `${reading.ignoresCase} ${reading.looksBack}`;
      const known = compiled.get(key);
      if (known !== undefined) return known;
      const patterns = readPatterns(bytes, reading);
      compiled.set(key, patterns);
      return patterns;
    },
  };
}
