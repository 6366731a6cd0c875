import { type HashKey, maxHashedLength, spread } from './hashes.ts';
import { type Normal, normalizeIn, roomFor, unitsOf } from './normal.ts';
import type { FoundRun } from './runs.ts';
import { minValueLength } from './values.ts';

/** The maximum number of letters and digits of a value that are compared. */
const maxValueLength = maxHashedLength;
/** The minimum length of a value that is also found at the start of a longer word. */
const lengthInWord = 16;
const filterBits = 2 ** 17;
const filterMask = filterBits - 1;

/** A table of the hashes of whole values. It contains no value. */
export class ValueTable {
  readonly #key: HashKey;
  /** The lengths of the values, by the hash of their first characters. */
  readonly #lengths = new Map<number, number[]>();
  /** The file of each value, by the hash of the whole value. */
  readonly #files = new Map<number, number>();
  readonly #filter = new Uint32Array(filterBits / 32);
  readonly #max: number;
  /** The buffers that hold a value while it is normalized. */
  readonly #room = roomFor(4 * maxValueLength);

  /** The table has room for `max` values. */
  constructor(key: HashKey, max: number) {
    this.#key = key;
    this.#max = max;
  }

  /** The estimated memory of the table in bytes. */
  get size(): number {
    return this.#count * 100 + this.#filter.byteLength;
  }

  /** The number of entries; entries for the starts of values are not removed with the values. */
  get #count(): number {
    return Math.max(this.#files.size, this.#lengths.size);
  }

  /** Adds a value by the result of hashed(). Returns false if the table is full. */
  add(prefixes: Int32Array, file: number): boolean {
    const length = prefixes.length - 1;
    if (length < minValueLength) return true;
    const whole = this.#whole(prefixes, 0, length);
    if (this.#files.has(whole)) return true;
    if (this.#count >= this.#max) return false;
    this.#files.set(whole, file);
    const start = this.#key.between(prefixes, 0, minValueLength);
    const lengths = this.#lengths.get(start) ?? [];
    if (!lengths.includes(length)) lengths.push(length);
    this.#lengths.set(start, lengths);
    const bit = spread(start) & filterMask;
    this.#filter[bit >> 5] = (this.#filter[bit >> 5] ?? 0) | (1 << (bit & 31));
    return true;
  }

  has(prefixes: Int32Array): boolean {
    return prefixes.length > minValueLength && this.#files.has(this.#whole(prefixes, 0, prefixes.length - 1));
  }

  /** The hashes of a value, for all tables with the same key. */
  hashed(value: string): Int32Array {
    const { units } = normalizeIn(this.#room, unitsOf(value.slice(0, 4 * maxValueLength)), true);
    const prefixes = new Int32Array(Math.min(units.length, maxValueLength) + 1);
    this.#key.prefixes(units.subarray(0, maxValueLength), prefixes);
    return prefixes;
  }

  remove(files: ReadonlySet<number>): void {
    for (const [whole, origin] of this.#files) if (files.has(origin)) this.#files.delete(whole);
  }

  /** The values in a text. They begin where a word begins; within words, their tokens are found (runs.ts). */
  find({ at, words }: Normal, prefixes: Int32Array): readonly FoundRun[] {
    if (this.#files.size === 0) return [];
    const [filter, power, end] = [this.#filter, this.#key.power(minValueLength), at.length - minValueLength];
    const found: FoundRun[] = [];
    for (let word = 0; word < words.length; word += 1) {
      const from = words[word] ?? 0;
      if (from > end) break;
      const hash = ((prefixes[from + minValueLength] ?? 0) - Math.imul(prefixes[from] ?? 0, power)) | 0;
      const bit = spread(hash) & filterMask;
      if (((filter[bit >> 5] ?? 0) & (1 << (bit & 31))) === 0) continue;
      const value = this.#at(prefixes, at, from, hash);
      if (value !== null) found.push(value);
    }
    return found;
  }

  #at(prefixes: Int32Array, at: Uint32Array, from: number, start: number): FoundRun | null {
    for (const length of this.#lengths.get(start) ?? []) {
      const to = from + length;
      if (to > at.length) continue;
      const file = this.#files.get(this.#whole(prefixes, from, to));
      if (file === undefined) continue;
      const isWhole = to === at.length || (at[to] ?? 0) - (at[to - 1] ?? 0) > 1;
      if (isWhole || length >= lengthInWord) return { from, to, file, length: 0, kind: 'value' };
    }
    return null;
  }

  /** Combines two hashes and the length into 53 bits. */
  #whole(prefixes: Int32Array, from: number, to: number): number {
    const half = (from + to) >> 1;
    const first = this.#key.between(prefixes, from, to) >>> 0;
    const second = spread(this.#key.between(prefixes, half, to) + (to - from));
    return first * 2 ** 21 + (second >>> 11);
  }
}
