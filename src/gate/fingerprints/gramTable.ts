import { spread, spreadAgain } from './hashes.ts';

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

/** What findAll() writes to. */
export interface Hits {
  readonly indexes: Uint16Array;
  readonly origins: Uint32Array;
}

/** Hashes with the file that each comes from: 8 bytes for each, behind a Bloom filter with two bits. */
export class GramTable {
  #hashes = new Uint32Array(fewestSlots);
  #origins = new Uint32Array(fewestSlots);
  #filter = new Uint32Array((fewestSlots * filterBits) / 32);
  #count = 0;
  readonly #mostSlots: number;

  constructor(slots = mostSlots) {
    this.#mostSlots = slots;
  }

  /** Bytes. */
  get size(): number {
    return this.#hashes.byteLength + this.#origins.byteLength + this.#filter.byteLength;
  }

  /** How many hashes of files without credentials fit in all. */
  get room(): number {
    return this.#mostSlots * fullness * shareOfSources;
  }

  /** Adds a hash with its file and bits; false if the table is full. The first file of a hash stays. */
  add(hash: number, origin: number): boolean {
    if (this.#count >= this.#hashes.length * fullness && !this.#grow()) return false;
    const isCredential = (origin & credentialBit) !== 0;
    // The rest is for files with credentials, also later ones.
    if (!isCredential && this.#count >= this.room) return false;
    const slot = this.#slotOf(hash);
    const before = this.#origins[slot] ?? 0;
    const isStronger = isCredential && (before & credentialBit) === 0;
    if (before === removed || (before !== 0 && isStronger)) this.#origins[slot] = origin;
    else if (before !== 0) this.#origins[slot] = (before | (origin & ~fileMask)) >>> 0;
    if (before !== 0) return true;
    this.#put(slot, hash, origin);
    this.#count += 1;
    return true;
  }

  /**
   * Looks for the first `count` hashes, and writes the index, and the file with its bits, of each that is there. Returns
   * their number.
   */
  findAll(hashes: Uint32Array, count: number, { indexes, origins }: Hits): number {
    const [filter, known, files] = [this.#filter, this.#hashes, this.#origins];
    const [filterMask, slotMask] = [filter.length - 1, known.length - 1];
    let hits = 0;
    for (let index = 0; index < count; index += 1) {
      const hash = hashes[index] ?? 0;
      const bits = spread(hash);
      if (((filter[(bits >>> 5) & filterMask] ?? 0) & (1 << (bits & 31))) === 0) continue;
      const more = spreadAgain(hash);
      if (((filter[(more >>> 5) & filterMask] ?? 0) & (1 << (more & 31))) === 0) continue;
      let slot = bits & slotMask;
      while (files[slot] !== 0 && known[slot] !== hash) slot = (slot + 1) & slotMask;
      const origin = files[slot] ?? 0;
      if (origin === 0 || origin === removed) continue;
      indexes[hits] = index;
      origins[hits] = origin;
      hits += 1;
    }
    return hits;
  }

  /** The file of a hash with its bits; 0 if it is not there. */
  find(hash: number): number {
    if (!this.#mayHave(spread(hash)) || !this.#mayHave(spreadAgain(hash))) return 0;
    const origin = this.#origins[this.#slotOf(hash)] ?? 0;
    return origin === removed ? 0 : origin;
  }

  #mayHave(bits: number): boolean {
    const filter = this.#filter;
    return ((filter[(bits >>> 5) & (filter.length - 1)] ?? 0) & (1 << (bits & 31))) !== 0;
  }

  /** Forgets a file: its hashes stay in their slots, and are found no longer. */
  remove(file: number): void {
    for (let slot = 0; slot < this.#origins.length; slot += 1) {
      if (fileOf(this.#origins[slot] ?? 0) === file) this.#origins[slot] = removed;
    }
  }

  #slotOf(hash: number): number {
    const mask = this.#hashes.length - 1;
    let slot = spread(hash) & mask;
    while (this.#origins[slot] !== 0 && this.#hashes[slot] !== hash) slot = (slot + 1) & mask;
    return slot;
  }

  #put(slot: number, hash: number, origin: number): void {
    this.#hashes[slot] = hash;
    this.#origins[slot] = origin;
    const mask = this.#filter.length - 1;
    for (const bits of [spread(hash), spreadAgain(hash)]) {
      const word = (bits >>> 5) & mask;
      this.#filter[word] = (this.#filter[word] ?? 0) | (1 << (bits & 31));
    }
  }

  #grow(): boolean {
    const [hashes, origins] = [this.#hashes, this.#origins];
    if (hashes.length >= this.#mostSlots) return false;
    this.#hashes = new Uint32Array(hashes.length * 2);
    this.#origins = new Uint32Array(hashes.length * 2);
    this.#filter = new Uint32Array((hashes.length * 2 * filterBits) / 32);
    let count = 0;
    for (const [index, hash] of hashes.entries()) {
      const origin = origins[index] ?? 0;
      if (origin !== 0 && origin !== removed) {
        this.#put(this.#slotOf(hash), hash, origin);
        count += 1;
      }
    }
    this.#count = count;
    return true;
  }
}
