import { inSlices } from '../secrets/pace.ts';
import { type FileState, type IgnoreDisk, type Lookups, once } from './ignoreDisk.ts';
import type { PatternList } from './patternList.ts';
import { maxRuleBytes, maxRules, readPatterns, type Unread } from './patterns.ts';

interface Kept {
  readonly stamp: string;
  readonly isSettled: boolean;
  /** The content of the file; empty if its rules are not known. */
  readonly bytes: Uint8Array;
  /** The room that its rules take or, for `tooManyRules`, would take at least. */
  readonly needs: Room;
  readonly file: PatternList | Unread;
}

interface Room {
  readonly rules: number;
  readonly bytes: number;
}

const none: Uint8Array = new Uint8Array();
/** The maximum size in bytes of files that are read at the same time; larger files are read one after the other. */
const smallBytes = 64 * 1024;

/**
 * The ignore files of a disk. Their compiled rules are cached until they change, which is checked once per request.
 * There is room for a number of rules and bytes over all of them; a file that does not fit is not read.
 */
export class RuleFiles {
  readonly #disk: IgnoreDisk;
  readonly #kept = new Map<string, Kept>();
  #rules = 0;
  #bytes = 0;
  /** Files are compiled one after the other, so that they do not take each other's room. */
  #reading: Promise<unknown> = Promise.resolve();

  constructor(disk: IgnoreDisk) {
    this.#disk = disk;
  }

  /** Returns the rules of an ignore file, or null if there is no such file. */
  get(path: string, lookups: Lookups): Promise<PatternList | Unread | null> {
    return once(lookups, `rules ${path}`, async () => {
      try {
        return await this.#get(path, lookups);
      } catch {
        this.#forget(path);
        return 'unreadable';
      }
    });
  }

  async #get(path: string, lookups: Lookups): Promise<PatternList | Unread | null> {
    const state = await this.#disk.stat(path, lookups);
    if (state === null) {
      this.#forget(path);
      return null;
    }
    const same = this.#same(path, state);
    if (same !== null) return same;
    const isSmall = state.bytes <= smallBytes && this.#fits(path, { rules: 0, bytes: state.bytes });
    const early = isSmall ? this.#disk.read(path) : null;
    early?.catch(() => undefined);
    const read = this.#reading.then(() => this.#read(path, state, early, lookups));
    this.#reading = read.catch(() => undefined);
    return read;
  }

  /** Returns the cached rules of a file that has not changed, or null if it has to be read. */
  #same(path: string, { stamp }: FileState): PatternList | Unread | null {
    const kept = this.#kept.get(path);
    if (!kept?.isSettled || kept.stamp !== stamp) return null;
    return kept.file === 'tooManyRules' && this.#fits(path, kept.needs) ? null : kept.file;
  }

  async #read(
    path: string,
    state: FileState,
    early: Promise<Uint8Array> | null,
    lookups: Lookups,
  ): Promise<PatternList | Unread> {
    const same = this.#same(path, state);
    if (same !== null) return same;
    const keep = (file: PatternList | Unread, needs: Room, bytes = none): PatternList | Unread => {
      this.#keep(path, { stamp: state.stamp, isSettled: state.isSettled, bytes, needs, file });
      return file;
    };
    const room = { rules: 0, bytes: state.bytes };
    if (!(await this.#hasRoom(path, room, lookups))) return keep('tooManyRules', room);
    const bytes = await (early ?? this.#disk.read(path));
    const kept = this.#kept.get(path);
    if (kept !== undefined && typeof kept.file !== 'string' && Buffer.compare(kept.bytes, bytes) === 0) {
      return keep(kept.file, kept.needs, kept.bytes);
    }
    this.#forget(path);
    const ownRoom = { rules: 0, bytes: bytes.length };
    if (!(await this.#hasRoom(path, ownRoom, lookups))) return keep('tooManyRules', ownRoom);
    let { patterns, rules } = await inSlices(readPatterns(bytes, maxRules - this.#rules));
    if (patterns === 'tooManyRules' && (await this.#hasRoom(path, { ...ownRoom, rules }, lookups))) {
      ({ patterns, rules } = await inSlices(readPatterns(bytes, maxRules - this.#rules)));
    }
    return keep(patterns, { ...ownRoom, rules }, typeof patterns === 'string' ? none : bytes);
  }

  #keep(path: string, kept: Kept): void {
    this.#forget(path);
    this.#kept.set(path, kept);
    this.#count(kept, 1);
  }

  #forget(path: string): void {
    const kept = this.#kept.get(path);
    if (kept === undefined) return;
    this.#kept.delete(path);
    this.#count(kept, -1);
  }

  #count({ file, needs }: Kept, sign: 1 | -1): void {
    if (typeof file === 'string') return;
    this.#rules += sign * needs.rules;
    this.#bytes += sign * needs.bytes;
  }

  /** Whether there is room for a file; if not, files that no longer exist are forgotten first. */
  async #hasRoom(path: string, needs: Room, lookups: Lookups): Promise<boolean> {
    if (this.#fits(path, needs)) return true;
    if (needs.bytes > maxRuleBytes || needs.rules > maxRules) return false;
    await once(lookups, 'rules of removed files', async () => {
      for (const other of this.#kept.keys()) {
        if ((await this.#disk.stat(other, lookups).catch(() => undefined)) === null) this.#forget(other);
      }
    });
    return this.#fits(path, needs);
  }

  /** Whether a file fits beside all others. */
  #fits(path: string, needs: Room): boolean {
    const kept = this.#kept.get(path);
    const ownRoom = kept === undefined || typeof kept.file === 'string' ? { rules: 0, bytes: 0 } : kept.needs;
    const rules = this.#rules - ownRoom.rules + needs.rules;
    return rules <= maxRules && this.#bytes - ownRoom.bytes + needs.bytes <= maxRuleBytes;
  }
}
