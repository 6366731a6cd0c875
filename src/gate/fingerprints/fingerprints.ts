import { append } from '../../util/append.ts';
import { allAssignedIn, assignedIn } from './assigned.ts';
import { gramsAtATime, type Search, searchFor } from './buffers.ts';
import type { IgnoredPrefixes } from './characters.ts';
import { type Decoded, encodedIn } from './encoded.ts';
import { commonBit, credentialBit, GramTable, publicBit, tokenBit } from './gramTable.ts';
import { HashKey } from './hashes.ts';
import { withoutImports } from './imports.ts';
import { gramLength, type Normal, normalize, normalizeIn, unitsInSlices, unitsOf } from './normal.ts';
import { type InItself, searchInItself } from './ownSearch.ts';
import { type FoundPassage, insertInOrder, mergedInOrder, passageOf } from './passages.ts';
import { marks, marksOf, readingsOf } from './readings.ts';
import { type FoundRun, RunFinder, withoutLinesOfValues } from './runs.ts';
import { isRandom, isSecretLooking, tokensIn } from './values.ts';
import { ValueTable } from './valueTable.ts';
import { Winnower } from './winnower.ts';
import { aroundPrefixes, hasOfPrefix, readingsWithoutPrefixes, withoutPrefixes } from './withoutPrefixes.ts';

/** The length in UTF-16 units of the pieces in which a text is searched. They fit into the processor's cache. */
const pieceLength = 64 * 1024;
/** The overlap of two pieces in UTF-16 units. */
const overlap = 2_048;

/** The possible window sizes of winnowing, the most precise first. */
const windows = [4, 8, 16, 32] as const;
/** The share of letters and digits in source code. */
const lettersPerByte = 0.65;

/** The number of slots of the table of public text. It and `maxEntries` keep all tables together at or below 24 MiB. */
const publicSlots = 2 ** 16;
const maxEntries = { values: 20_000, publicValues: 1_500 };

/** A file to add. */
interface AddedFile {
  /** The number of the file, from 1. A file whose text has changed keeps its number. */
  readonly file: number;
  readonly text: string;
  /** Whether the file holds credentials: then all of its text is recognized, and each of its values alone. */
  readonly isCredential: boolean;
}

/** Whether a file is recognized, or the reason why not. `noRoom` means that the tables are full. */
type Addition = 'recognized' | 'noRoom' | Exclude<InItself, 'found'>;

/**
 * Identifies the text of excluded files by hashes under a random key; it keeps no text. Finds their text in any other
 * text, regardless of how it got there. All generators yield null where they may pause.
 */
export class Fingerprints {
  readonly #key = new HashKey();
  readonly #grams: GramTable;
  readonly #values = new ValueTable(this.#key, maxEntries.values);
  /** Public text, which is not added with a file. If it does not fit into this table, it is added. */
  readonly #public = new GramTable(publicSlots);
  readonly #publicValues = new ValueTable(this.#key, maxEntries.publicValues);
  readonly #power = this.#key.power(gramLength);
  /** Buffers for one piece. They can be shared, because a piece is searched without a pause. */
  #search: Search | null = null;

  get #buffers(): Search {
    this.#search ??= searchFor(pieceLength + overlap);
    return this.#search;
  }

  /** The size of the window: at least one of its grams is in the table (Winnowing, Schleimer et al., 2003). */
  #window: number = windows[0];

  /** `maxSlots` is the maximum size of the table, a power of two; for tests. */
  constructor(maxSlots?: number) {
    this.#grams = new GramTable(maxSlots);
  }

  /** Adjusts to the total size of the source files in bytes: for more text, a smaller share of the grams is kept. */
  expect(bytes: number): void {
    const share = (window: number): number => (bytes * lettersPerByte * 2) / (window + 1);
    const fits = windows.find((window) => share(window) <= this.#grams.room) ?? windows.at(-1) ?? this.#window;
    this.#window = Math.max(this.#window, fits);
  }

  /** The memory of all tables in bytes. */
  get size(): number {
    return this.#grams.size + this.#public.size + this.#values.size + this.#publicValues.size;
  }

  /** Marks a text as public, before the files are added. The tokens in it stay secret, unless it is `constant`. */
  *addPublic(text: string, constant?: 'constant'): Generator<null> {
    for (const reading of readingsOf(yield* normalize(text))) {
      yield* this.#eachGram(reading, yield* marksOf(text, reading, false), (hash, marked) => {
        if (marked === 0 || constant !== undefined) this.#public.add(hash, 1);
      });
    }
    for (const assigned of assignedIn(text)) {
      yield null;
      if (assigned === null) continue;
      const { value } = assigned;
      if (tokensIn(value).next().done === true) this.#publicValues.add(this.#publicValues.hashed(value), 1);
    }
  }

  /**
   * Adds a file, and searches for it in itself: it is recognized only if that finds it. If it holds no credentials, its imports
   * are not added.
   */
  *add({ file, text: whole, isCredential }: AddedFile): Generator<null, Addition> {
    const text = isCredential ? whole : yield* withoutImports(whole);
    const normal = yield* normalize(text);
    const assignments = isCredential ? yield* allAssignedIn(text) : [];
    for (const { name } of assignments) {
      this.#addName(name);
      yield null;
    }
    let isRoom = true;
    const put = (hash: number, bits: number): void => {
      const open = this.#public.find(hash) === 0 ? 0 : publicBit;
      isRoom = this.#grams.add(hash, file | bits | open) && isRoom;
    };
    for (const reading of readingsOf(normal)) {
      const chosen = isCredential
        ? null
        : new Winnower(this.#window, (hash, marked) => put(hash, (marked & marks.common) === 0 ? 0 : commonBit));
      const take = (hash: number, marked: number): void => {
        const isToken = (marked & marks.token) !== 0;
        if (isToken || isCredential) put(hash, (isToken ? tokenBit : 0) | (isCredential ? credentialBit : 0));
        chosen?.add(hash, marked);
      };
      yield* this.#eachGram(reading, yield* marksOf(text, reading, !isCredential), take, this.#grams);
    }
    const values = new Set<string>();
    for (const assigned of assignments) {
      yield null;
      if (values.has(assigned.value) || !isSecretLooking(assigned)) continue;
      const hashed = this.#values.hashed(assigned.value);
      if (this.#publicValues.has(hashed)) continue;
      values.add(assigned.value);
      isRoom = this.#values.add(hashed, file) && isRoom;
    }
    if (!isRoom) return 'noRoom';
    const find = (text: string) => this.find(text);
    const grams = (text: string) => this.#countGrams(text, isCredential);
    const itself = yield* searchInItself({ text: whole, own: text, isCredential, values: [...values], find, grams });
    return itself === 'found' ? 'recognized' : itself;
  }

  *#countGrams(text: string, isCredential: boolean): Generator<null, { readonly own: number; readonly open: number }> {
    let [own, open] = [0, 0];
    const normal = yield* normalize(text);
    yield* this.#eachGram(normal, yield* marksOf(text, normal, !isCredential), (hash, marked) => {
      if (this.#public.find(hash) !== 0) open += 1;
      else if ((marked & marks.common) === 0) own += 1;
    });
    return { own, open };
  }

  /** Adds the name of a setting as public: it is in the code that reads the setting. */
  #addName(name: string): void {
    // A random-looking name may be the last line of a key, which may end with `=`.
    if (isRandom(name.replace(/[^A-Za-z0-9]/g, ''))) return;
    const { room, prefixes } = this.#buffers;
    const { units } = normalizeIn(room, unitsOf(name), false);
    this.#key.prefixes(units, prefixes);
    for (let from = 0; from + gramLength <= units.length; from += 1) {
      this.#public.add(this.#key.between(prefixes, from, from + gramLength), 1);
    }
  }

  /** Removes files that may be sent again. Text that they share with another file must be added again. */
  *remove(files: ReadonlySet<number>): Generator<null> {
    yield* this.#grams.remove(files);
    this.#values.remove(files);
  }

  /**
   * The parts of a text that come from the files, in order of their starts; they can overlap. `only` is for a file that is
   * allowed by its name: only values are searched for in it.
   */
  *find(text: string, only?: 'values'): Generator<null, readonly FoundPassage[]> {
    const units = yield* unitsInSlices(text);
    const found = yield* this.#findIn(units, only);
    const encoded: FoundPassage[] = [];
    for (const decoded of encodedIn(units)) {
      if (decoded !== null) yield* this.#findDecoded(decoded, encoded, only);
      yield null;
    }
    return yield* mergedInOrder(found, encoded);
  }

  *#findDecoded({ bytes, runs }: Decoded, found: FoundPassage[], only?: 'values'): Generator<null> {
    const inside = yield* this.#findIn(bytes, only);
    if (inside.length === 0) return;
    let [from, hit, reach] = [0, 0, { end: 0, file: 0 }];
    for (let run = 0; run < runs.byteEnds.length; run += 1) {
      const to = runs.byteEnds[run] ?? 0;
      for (let next = inside[hit]; next !== undefined && next.start < to; next = inside[hit]) {
        if (next.end > reach.end) reach = next;
        hit += 1;
      }
      if (reach.end > from) {
        found.push({ start: runs.starts[run] ?? 0, end: runs.ends[run] ?? 0, file: reach.file, kind: 'encoded' });
      }
      from = to + 1;
    }
  }

  /** Searches a text piece by piece. */
  *#findIn(text: Uint16Array | Uint8Array, only?: 'values'): Generator<null, readonly FoundPassage[]> {
    const found: FoundPassage[] = [];
    for (let from = 0; from < text.length; from += pieceLength) {
      const piece = text.subarray(from, from + pieceLength + overlap);
      insertInOrder(found, this.#findInPiece(piece, from, only));
      yield null;
      if (from + piece.length >= text.length) break;
    }
    return found;
  }

  /** Reads each line twice, with and without a possible prefix: a listing may have added it, or it may belong to the file. */
  #findInPiece(piece: Uint16Array | Uint8Array, from: number, only?: 'values'): readonly FoundPassage[] {
    const { room, prefixes } = this.#buffers;
    const normal = normalizeIn(room, piece, from > 0);
    const whole = new RunFinder(this.#window, only);
    const hits = this.#take(normal.units, whole);
    // A value is within one line, so it is found in the text with prefixes.
    const runs = [...this.#values.find(normal, prefixes)];
    const readings = readingsWithoutPrefixes(normal).filter(
      (ignoredPrefixes) => hits.areNear || this.#isAround(normal, ignoredPrefixes, hits.places),
    );
    // A run without any part of a prefix is found again without prefixes, and it may be longer there.
    const isAll = readings.includes('all');
    for (const run of whole.end()) if (!isAll || hasOfPrefix(normal, run)) runs.push(run);
    for (const ignoredPrefixes of readings) append(runs, this.#runsWithout(normal, ignoredPrefixes, only));
    return withoutLinesOfValues(runs).map((run) => passageOf(normal, run, from));
  }

  /**
   * Whether text of a file may continue after a prefix. Only prefixes beside a short line, or a line with a hit, are examined:
   * if a run crosses a prefix between two long lines, its part in one of them would have been found.
   */
  #isAround(normal: Normal, ignoredPrefixes: IgnoredPrefixes, hits: readonly number[]): boolean {
    const isPrecise = this.#window === windows[0];
    const longLine = isPrecise ? gramLength + windows[0] : Number.POSITIVE_INFINITY;
    const around = { length: gramLength - 1, longLine, hits };
    const found = this.#take(aroundPrefixes(normal, ignoredPrefixes, around, this.#buffers.unprefixed), null);
    // With a large window, a run may have only one gram in the table.
    return found.areNear || (found.places.length > 0 && this.#window > gramLength / 2);
  }

  #runsWithout(normal: Normal, ignoredPrefixes: IgnoredPrefixes, only?: 'values'): readonly FoundRun[] {
    const { units, origins } = withoutPrefixes(normal, ignoredPrefixes, this.#buffers.unprefixed);
    const finder = new RunFinder(this.#window, only);
    this.#take(units, finder);
    return finder.end().flatMap((found) => {
      const run = { ...found, from: origins[found.from] ?? 0, to: (origins[found.to - 1] ?? 0) + 1, ignoredPrefixes };
      // A run without any other part of a prefix is found again without all prefixes, and it may be longer there.
      return ignoredPrefixes === 'all' || hasOfPrefix(normal, run, ignoredPrefixes) ? [run] : [];
    });
  }

  /** Looks up all grams of a text. Hits that are not near each other happen by chance; `places` then has all of them. */
  #take(
    units: Uint16Array,
    finder: RunFinder | null,
  ): { readonly places: readonly number[]; readonly areNear: boolean } {
    const { prefixes, hits } = this.#buffers;
    this.#key.prefixes(units, prefixes);
    const grams = units.length - gramLength + 1;
    const places: number[] = [];
    let [last, areNear] = [Number.NEGATIVE_INFINITY, false];
    for (let from = 0; from < grams; from += gramsAtATime) {
      const range = { from, to: Math.min(grams, from + gramsAtATime), power: this.#power };
      hits.length = 0;
      this.#grams.findAll(prefixes, range, hits);
      finder?.take(hits);
      for (let hit = 0; hit < hits.length && !areNear; hit += 1) {
        const place = hits.places[hit] ?? 0;
        areNear = place - last <= this.#window || (hits.counts[hit] ?? 0) > 1;
        last = place;
        places.push(place);
      }
    }
    return { places, areNear };
  }

  /** Calls `take` with the hash and the marks of each gram. `table` is the one that `take` adds to. */
  *#eachGram(
    { units }: Pick<Normal, 'units'>,
    marked: Uint8Array | null,
    take: (hash: number, marks: number) => void,
    table?: GramTable,
  ): Generator<null> {
    const prefixes = new Int32Array(units.length + 1);
    this.#key.prefixes(units, prefixes);
    const grams = units.length - gramLength + 1;
    for (let start = 0; start < grams; start += gramsAtATime) {
      if (start > 0) yield null;
      const end = Math.min(grams, start + gramsAtATime);
      if (table !== undefined) yield* table.makeRoom(end - start);
      for (let from = start; from < end; from += 1) {
        take(this.#key.between(prefixes, from, from + gramLength), marked?.[from] ?? 0);
      }
    }
  }
}
