import { append } from '../../util/append.ts';
import type { IgnoredPrefixes } from './characters.ts';
import { commonBit, credentialBit, fileOf, publicBit, tokenBit } from './gramTable.ts';
import type { Hits } from './hits.ts';
import { gramLength } from './normal.ts';

/** Consecutive units that come from a file. `to` is the position after the last one. */
export interface FoundRun {
  readonly from: number;
  readonly to: number;
  /** The number of units that are not public, or 0 for a whole value. */
  readonly length: number;
  readonly file: number;
  readonly kind: 'lines' | 'value';
  /** The parts of line prefixes that were ignored when this run was found. */
  readonly ignoredPrefixes?: IgnoredPrefixes;
}

/** A run that consists of grams, not of a whole value. */
interface GramRun extends FoundRun {
  /** The length of the run without common words. */
  readonly own: number;
  /** The hashes of the first grams of a source file's run: they show which runs come from one place in the file. */
  readonly grams: readonly number[];
}

/** The minimum number of consecutive letters and digits of a file that holds credentials. */
const credentialUnits = 32;
/** The minimum number of consecutive letters and digits of a random-looking word. */
const tokenUnits = 20;
/** The minimum number of consecutive letters and digits of a source file; `ownUnits` of them are not in common words. */
const sourceUnits = 44;
const ownUnits = 14;
/** The minimum for a short run, which counts together with other runs of the same file near it, and for all of them. */
const shortRun = 24;
const shortRunsUnits = 66;
const shortRunsOwnUnits = 28;
/** The maximum number of units between two runs that are near each other. */
const nearUnits = 400;
const maxWeakRuns = 20;
/** The number of first grams of a run that are compared. A run with more grams is long enough by itself. */
const maxGrams = 32;
/** The length of public text that ends a run: it is not left out with the text before and after it. */
const longPublic = 96;

/**
 * Makes runs of the grams that were found, which come in order. For a file that holds credentials, all grams are in the table;
 * for another file, at least one of every `window`.
 */
export class RunFinder {
  readonly #runs: FoundRun[] = [];
  readonly #credentials: RunOf;
  readonly #tokens: RunOf;
  readonly #sources: RunOf;
  readonly #only: 'values' | undefined;
  /** The last runs that are too short. */
  readonly #weak: FoundRun[] = [];
  /** The last run that is long enough. */
  #strong: FoundRun | null = null;
  readonly #short: GramRun[] = [];

  constructor(window: number, only?: 'values') {
    this.#only = only;
    this.#credentials = new RunOf(1, (run) => this.#onCredentials(run));
    this.#tokens = new RunOf(1, (run) => {
      if (run.length >= tokenUnits) this.#runs.push({ ...run, kind: 'value' });
    });
    // A single gram is not enough for a run.
    const minLength = Math.max(sourceUnits, window + gramLength);
    this.#sources = new RunOf(window, (found) => {
      // On average, half a window is missing at each end of a run.
      const run = { ...found, length: found.length + window - 1, own: found.own + window - 1 };
      if (run.length >= minLength && run.own >= ownUnits) this.#runs.push(run);
      else if (run.length >= shortRun) this.#short.push(run);
    });
  }

  take({ places, hashes, counts, origins, length }: Hits): void {
    for (let hit = 0; hit < length; hit += 1) {
      const stretch = { from: places[hit] ?? 0, count: counts[hit] ?? 0, hash: hashes[hit] ?? 0 };
      this.#take(stretch, origins[hit] ?? 0);
    }
  }

  #take(stretch: Stretch, origin: number): void {
    if ((origin & tokenBit) !== 0) this.#tokens.take(stretch, origin);
    if (this.#only === 'values') return;
    const runs = (origin & credentialBit) !== 0 ? this.#credentials : this.#sources;
    runs.take(stretch, origin);
  }

  end(): readonly FoundRun[] {
    for (const runs of [this.#credentials, this.#tokens, this.#sources]) runs.end();
    return [...this.#runs, ...nearEachOther(this.#short)];
  }

  /** A shorter run is accepted if a longer one of the same file is near. */
  #onCredentials(run: FoundRun): void {
    const near = ({ file, from, to }: FoundRun): boolean =>
      file === run.file && Math.max(from, run.from) - Math.min(to, run.to) <= nearUnits;
    if (run.length >= credentialUnits) append(this.#runs, [...this.#weak.splice(0).filter(near), run]);
    else if (run.length < gramLength) return;
    else if (this.#strong !== null && near(this.#strong)) this.#runs.push(run);
    else this.#weak.push(run);
    if (run.length >= credentialUnits) this.#strong = run;
    if (this.#weak.length > maxWeakRuns) this.#weak.shift();
  }
}

/** Removes lines that consist mostly of values: only the values are left out of them. */
export function withoutLinesOfValues(runs: readonly FoundRun[]): readonly FoundRun[] {
  const values = runs.filter(({ kind }) => kind === 'value').sort((a, b) => a.from - b.from);
  if (values.length === 0 || values.length === runs.length) return runs;
  const longest = values.reduce((most, { from, to }) => Math.max(most, to - from), 0);
  const covered = (from: number, to: number): number => {
    let count = 0;
    let at = from;
    for (let index = firstAfter(values, from - longest); index < values.length; index += 1) {
      const value = values[index];
      if (value === undefined || value.from >= to) break;
      count += Math.max(0, Math.min(value.to, to) - Math.max(value.from, at));
      at = Math.max(at, value.to);
    }
    return count;
  };
  return runs.filter(({ from, to, length, kind }) => kind === 'value' || length - covered(from, to) >= gramLength);
}

/** The index of the first run that begins after a place. */
function firstAfter(values: readonly FoundRun[], place: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle]?.from ?? 0) <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The runs of one file that are near each other and long enough in total. */
function nearEachOther(runs: readonly GramRun[]): readonly FoundRun[] {
  const found: FoundRun[] = [];
  for (const of of Map.groupBy(runs, ({ file }) => file).values()) {
    let group: GramRun[] = [];
    const close = (): void => {
      const { length, own } = lengthOfPlaces(group);
      if (length >= shortRunsUnits && own >= shortRunsOwnUnits) append(found, group);
      group = [];
    };
    for (const run of of) {
      if (run.from - (group.at(-1)?.to ?? run.from) > nearUnits) close();
      group.push(run);
    }
    close();
  }
  return found;
}

/** The total length of runs; only the longest one counts of runs that have a gram in common. */
function lengthOfPlaces(runs: readonly GramRun[]): { readonly length: number; readonly own: number } {
  const seen = new Set<number>();
  let [length, own] = [0, 0];
  for (const run of runs.toSorted((a, b) => b.length - a.length)) {
    if (!run.grams.some((gram) => seen.has(gram))) {
      length += run.length;
      own += run.own;
    }
    for (const gram of run.grams) seen.add(gram);
  }
  return { length, own };
}

/** Adjacent grams with one origin. */
interface Stretch {
  readonly from: number;
  readonly count: number;
  /** The hash of the first gram. */
  readonly hash: number;
}

/** Collects grams that are at most `gap` places apart. The file of a run is the one that most of its grams come from. */
class RunOf {
  readonly #gap: number;
  readonly #onRun: (run: GramRun) => void;
  #from = -1;
  #last = -1;
  #file = 0;
  /** The votes for the file, minus the votes for other files (Boyer and Moore's majority vote). */
  #votes = 0;
  #public = 0;
  /** The number of units in common words; `#isCommon` is whether the last gram has only these. */
  #common = 0;
  #isCommon = false;
  /** The first and the last gram that is not public. */
  #ownFrom = -1;
  #ownLast = -1;
  #grams: number[] = [];

  constructor(gap: number, onRun: (run: GramRun) => void) {
    this.#gap = gap;
    this.#onRun = onRun;
  }

  take({ from, count, hash }: Stretch, origin: number): void {
    const [file, isPublic, isCommon] = [fileOf(origin), (origin & publicBit) !== 0, (origin & commonBit) !== 0];
    const isAfterPublic = !isPublic && this.#ownFrom !== -1 && from - this.#ownLast > longPublic;
    if (this.#from === -1 || from - this.#last > this.#gap || isAfterPublic) {
      this.end();
      this.#from = from;
      this.#votes = 0;
      this.#public = 0;
      this.#common = 0;
      this.#isCommon = false;
      this.#ownFrom = -1;
      this.#grams = [];
      this.#last = from - 1;
    }
    // Not all grams of a source file are in the table, so each gram also stands for the grams between it and the last one.
    const more = from + count - 1 - this.#last;
    if (this.#gap > 1 && this.#grams.length < maxGrams) this.#grams.push(hash);
    if (isPublic) this.#public += more;
    if (isCommon) this.#common += this.#isCommon ? more : more + gramLength - 1;
    this.#isCommon = isCommon;
    this.#last += more;
    if (!isPublic) {
      if (this.#ownFrom === -1) this.#ownFrom = from;
      this.#ownLast = this.#last;
    }
    if (file === this.#file) this.#votes += count;
    else if (count <= this.#votes) this.#votes -= count;
    else {
      this.#votes = count - this.#votes;
      this.#file = file;
    }
  }

  end(): void {
    if (this.#from === -1) return;
    // Grams that are partly in public text, such as the owner's name in a license, are not counted twice.
    const shared = this.#gap > 1 && this.#public > 0 ? gramLength - 1 : 0;
    const length = this.#last + gramLength - this.#from - this.#public - shared;
    // Public text at the ends is not left out.
    const [from, to] = [this.#ownFrom, this.#ownLast + gramLength];
    const own = length - this.#common;
    if (from !== -1) this.#onRun({ from, to, length, own, file: this.#file, kind: 'lines', grams: this.#grams });
    this.#from = -1;
  }
}
