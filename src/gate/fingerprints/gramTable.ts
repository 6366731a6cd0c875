import { spread } from './hashes.ts';
import { gramLength } from './normal.ts';

/** Of a file that holds credentials: each of its grams is in the table. */
export const credentialBit = 0x80000000;
/** In a random-looking word. */
export const tokenBit = 0x40000000;
/** Public text: it does not end a run, and does not count either. */
export const publicBit = 0x20000000;
const fileMask = 0x00ffffff;

/** The slot of a hash whose file was removed. */
const removed = fileMask;

/** The file of what find() returned. */
export function fileOf(origin: number): number {
  return origin & fileMask;
}

/** Larger tables are not made: 16 MiB, and the filter's 4 MiB. */
const mostSlots = 2 ** 21;
const fullness = 0.8;
const shareOfSources = 0.9;
const fewestSlots = 2 ** 10;
/** Bits of the filter for each slot: few of the hashes that are not there reach the table. */
const filterBits = 8;

/** What findAll() writes to: for each hit its place, its hash, and its file with the bits. */
export interface Hits {
  readonly places: Uint32Array;
  readonly hashes: Int32Array;
  readonly origins: Int32Array;
}

/**
 * Hashes with the file that each comes from: 8 bytes for each, behind a Bloom filter. Its two bits are in one word, so that
 * a hash that is not there costs one access to memory (Putze, Sanders and Singler, 2007).
 */
export class GramTable {
  /** For each slot a hash and its origin, which is 0 in an empty one. */
  #slots = new Int32Array(2 * fewestSlots);
  #filter = new Int32Array((fewestSlots * filterBits) / 32);
  #count = 0;
  readonly #mostSlots: number;

  constructor(slots = mostSlots) {
    this.#mostSlots = slots;
  }

  /** Bytes. */
  get size(): number {
    return this.#slots.byteLength + this.#filter.byteLength;
  }

  /** How many hashes of files without credentials fit in all. */
  get room(): number {
    return this.#mostSlots * fullness * shareOfSources;
  }

  /** Adds a hash with its file and bits; false if the table is full. The first file of a hash stays. */
  add(hash: number, origin: number): boolean {
    if (this.#count >= (this.#slots.length / 2) * fullness && !this.#grow()) return false;
    const isCredential = (origin & credentialBit) !== 0;
    // The rest is for files with credentials, also later ones.
    if (!isCredential && this.#count >= this.room) return false;
    const slot = this.#slotOf(hash);
    const before = this.#slots[slot + 1] ?? 0;
    const isStronger = isCredential && (before & credentialBit) === 0;
    if (before === removed || (before !== 0 && isStronger)) this.#slots[slot + 1] = origin;
    else if (before !== 0) this.#slots[slot + 1] = before | (origin & ~fileMask);
    if (before !== 0) return true;
    this.#put(slot, hash, origin);
    this.#count += 1;
    return true;
  }

  /**
   * Looks for all grams of a text by the hashes of what is before each place; `power` is that of a gram's length. Returns
   * the number of hits.
   */
  findAll(prefixes: Int32Array, grams: number, power: number, { places, hashes, origins }: Hits): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    const passed = this.#filtered(prefixes, grams, power, { places, hashes });
    let hits = 0;
    for (let index = 0; index < passed; index += 1) {
      const hash = hashes[index] ?? 0;
      let at = (spread(hash) << 1) & mask;
      let origin = slots[at + 1] ?? 0;
      while (origin !== 0 && slots[at] !== hash) {
        at = (at + 2) & mask;
        origin = slots[at + 1] ?? 0;
      }
      places[hits] = places[index] ?? 0;
      hashes[hits] = hash;
      origins[hits] = origin;
      hits += origin === 0 || origin === removed ? 0 : 1;
    }
    return hits;
  }

  /** Writes the grams that pass the filter. Without a branch, which is hard to predict. Returns their number. */
  #filtered(
    prefixes: Int32Array,
    grams: number,
    power: number,
    { places, hashes }: Pick<Hits, 'places' | 'hashes'>,
  ): number {
    const filter = this.#filter;
    const mask = filter.length - 1;
    let passed = 0;
    for (let place = 0; place < grams; place += 1) {
      const hash = ((prefixes[place + gramLength] ?? 0) - Math.imul(prefixes[place] ?? 0, power)) | 0;
      const bits = spread(hash);
      const word = filter[(bits >>> 10) & mask] ?? 0;
      places[passed] = place;
      hashes[passed] = hash;
      passed += (word >>> bits) & (word >>> (bits >>> 5)) & 1;
    }
    return passed;
  }

  /** The file of a hash with its bits; 0 if it is not there. */
  find(hash: number): number {
    const origin = this.#slots[this.#slotOf(hash) + 1] ?? 0;
    return origin === removed ? 0 : origin;
  }

  /** Forgets a file: its hashes stay in their slots, and are found no longer. */
  remove(file: number): void {
    for (let at = 1; at < this.#slots.length; at += 2) {
      if (fileOf(this.#slots[at] ?? 0) === file) this.#slots[at] = removed;
    }
  }

  /** The index of a hash, or of the slot that it would take. */
  #slotOf(hash: number): number {
    const mask = this.#slots.length - 1;
    let at = (spread(hash) << 1) & mask;
    while (this.#slots[at + 1] !== 0 && this.#slots[at] !== hash) at = (at + 2) & mask;
    return at;
  }

  #put(at: number, hash: number, origin: number): void {
    this.#slots[at] = hash;
    this.#slots[at + 1] = origin;
    const bits = spread(hash);
    const word = (bits >>> 10) & (this.#filter.length - 1);
    this.#filter[word] = (this.#filter[word] ?? 0) | (1 << bits) | (1 << (bits >>> 5));
  }

  #grow(): boolean {
    const before = this.#slots;
    if (before.length / 2 >= this.#mostSlots) return false;
    this.#slots = new Int32Array(before.length * 2);
    this.#filter = new Int32Array((before.length * filterBits) / 32);
    let count = 0;
    for (let at = 0; at < before.length; at += 2) {
      const [hash, origin] = [before[at] ?? 0, before[at + 1] ?? 0];
      if (origin !== 0 && origin !== removed) {
        this.#put(this.#slotOf(hash), hash, origin);
        count += 1;
      }
    }
    this.#count = count;
    return true;
  }
}
