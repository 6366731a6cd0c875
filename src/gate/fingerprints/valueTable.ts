import { blockLength, type HashKey, spread } from './hashes.ts';
import { type Normal, normalise } from './normal.ts';
import { shortestValue } from './values.ts';

/** More of a value is not compared. */
const longestValue = 64;
/** From this length on, a value is also found at the start of a longer word. */
const lengthInWord = 16;
const filterBits = 2 ** 17;
const filterMask = filterBits - 1;

/** A place where a value of a file stands. Offsets in the units of the text. */
export interface FoundValue {
  readonly from: number;
  readonly to: number;
  readonly file: number;
}

/** The hashes of whole values. Contains no value. */
export class ValueTable {
  readonly #key: HashKey;
  /** The lengths of the values that begin with a hash. */
  readonly #lengths = new Map<number, number[]>();
  readonly #files = new Map<number, number>();
  readonly #filter = new Uint32Array(filterBits / 32);

  constructor(key: HashKey) {
    this.#key = key;
  }

  /** Bytes, estimated. */
  get size(): number {
    return this.#files.size * 100 + this.#filter.byteLength;
  }

  /** Adds a value: in the middle of a line, and alone on one. */
  add(value: string, file: number): void {
    for (const isPart of [true, false]) {
      const step = normalise(value.slice(0, 4 * longestValue), isPart).next();
      if (step.done === true) this.#add(step.value.units.subarray(0, longestValue), file);
    }
  }

  #add(units: Uint16Array, file: number): void {
    if (units.length < shortestValue) return;
    const start = this.#key.of(units, 0, shortestValue);
    const lengths = this.#lengths.get(start) ?? [];
    if (!lengths.includes(units.length)) lengths.push(units.length);
    this.#lengths.set(start, lengths);
    const whole = this.#whole(units, 0, units.length);
    if (!this.#files.has(whole)) this.#files.set(whole, file);
    const bit = spread(start) & filterMask;
    this.#filter[bit >> 5] = (this.#filter[bit >> 5] ?? 0) | (1 << (bit & 31));
  }

  has(value: string): boolean {
    const step = normalise(value.slice(0, 4 * longestValue), true).next();
    const units = step.done === true ? step.value.units.subarray(0, longestValue) : new Uint16Array();
    return units.length >= shortestValue && this.#files.has(this.#whole(units, 0, units.length));
  }

  remove(file: number): void {
    for (const [whole, origin] of this.#files) if (origin === file) this.#files.delete(whole);
  }

  /** The values in a text. Yields null where the search may pause. */
  *find({ units, at }: Normal): Generator<FoundValue | null> {
    if (this.#files.size === 0) return;
    for (let from = 0; from < units.length; from += blockLength) {
      yield* this.#inBlock(units, at, from, Math.min(from + blockLength, units.length - shortestValue + 1));
      yield null;
    }
  }

  /** A value begins where a word does: in the middle of one, its tokens are found (runs.ts). */
  #inBlock(units: Uint16Array, at: Uint32Array, from: number, to: number): readonly FoundValue[] {
    const [key, filter] = [this.#key, this.#filter];
    const found: FoundValue[] = [];
    let before = from === 0 ? -2 : (at[from - 1] ?? 0);
    for (let index = from; index < to; index += 1) {
      const now = at[index] ?? 0;
      const isInWord = now === before + 1;
      before = now;
      if (isInWord) continue;
      const hash = key.of(units, index, index + shortestValue);
      const bit = spread(hash) & filterMask;
      if (((filter[bit >> 5] ?? 0) & (1 << (bit & 31))) === 0) continue;
      const value = this.#at(units, at, index, hash);
      if (value !== null) found.push(value);
    }
    return found;
  }

  #at(units: Uint16Array, at: Uint32Array, from: number, start: number): FoundValue | null {
    for (const length of this.#lengths.get(start) ?? []) {
      const to = from + length;
      if (to > units.length) continue;
      const file = this.#files.get(this.#whole(units, from, to));
      if (file === undefined) continue;
      const isWhole = to === units.length || (at[to] ?? 0) - (at[to - 1] ?? 0) > 1;
      if (isWhole || length >= lengthInWord) return { from, to, file };
    }
    return null;
  }

  /** 53 bits of two hashes, the length among them. */
  #whole(units: Uint16Array, from: number, to: number): number {
    const half = (from + to) >> 1;
    const first = this.#key.of(units, from, to);
    const second = spread(this.#key.of(units, half, to) + (to - from));
    return first * 2 ** 21 + (second >>> 11);
  }
}
