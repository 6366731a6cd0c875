import { finished } from '../../util/finished.ts';
import { spread } from './hashes.ts';
import type { Hits } from './hits.ts';
import { gramLength } from './normal.ts';

/** Marks a gram of a file that holds credentials. All grams of such a file are in the table. */
export const credentialBit = 0x80000000;
/** Marks a gram that is inside a random-looking word. */
export const tokenBit = 0x40000000;
/** Marks a gram of public text, which neither ends a run nor adds to its length. */
export const publicBit = 0x20000000;
/** Marks a gram of common words only. They add to the length of a run, but a run needs other text, too. */
export const commonBit = 0x10000000;
const fileMask = 0x00ffffff;

/** The origin of a hash whose file was removed. */
const removed = fileMask;

/** The number of the file in a result of find(). */
export function fileOf(origin: number): number {
  return origin & fileMask;
}

/** The maximum size of a table: 8 MiB, plus 2 MiB for the filter and 11 MiB for the hashes and origins. */
const maxSlots = 2 ** 21;
const fullness = 0.7;
const shareOfSources = 0.9;
const minSlots = 2 ** 10;
/** The number of entries that are copied or examined between two pauses. */
const entriesAtATime = 50_000;
/** The number of bits of the filter for each slot, so that few lookups of absent hashes reach the table. */
const filterBits = 8;

/** The number of entries for `slots` slots. The first entry and the one after the last hash stay empty. */
function entriesFor(slots: number): number {
  return Math.ceil(slots * fullness) + 2;
}

/** The grams of a text from one place to another; `power` is the factor for the length of a gram. */
interface Grams {
  readonly from: number;
  readonly to: number;
  readonly power: number;
}

/** The grams to look up next, and the index of the last gram, or 0 if it is not in the table. */
interface Batch {
  from: number;
  to: number;
  readonly power: number;
  index: number;
}

/** The number of grams that are looked up in the filter before those that pass are looked up in the table. */
const gramsInBatch = 128;

/**
 * Hashes with the file that each comes from, in the order in which they were added: where a file continues in a text, the next
 * hash is known without a search. A Bloom filter is read first. Its two bits are in one word, so that an absent hash costs one
 * access to memory (Putze, Sanders and Singler, 2007).
 */
export class GramTable {
  /** Each slot holds an index of the arrays below, or 0 if it is empty. */
  #slots: Int32Array;
  #hashes: Int32Array;
  #origins: Int32Array;
  #filter: Int32Array;
  #count = 0;
  /** The places of the grams of a batch that pass the filter. */
  readonly #passed = new Uint32Array(gramsInBatch);
  /** The number of changes of an origin. */
  #changes = 0;
  readonly #maxSlots: number;

  constructor(max = maxSlots, slots = minSlots) {
    this.#maxSlots = max;
    this.#slots = new Int32Array(slots);
    this.#hashes = new Int32Array(entriesFor(slots));
    this.#origins = new Int32Array(entriesFor(slots));
    this.#filter = new Int32Array((slots * filterBits) / 32);
  }

  /** The memory of the table in bytes. */
  get size(): number {
    const { byteLength } = this.#hashes;
    return this.#slots.byteLength + 2 * byteLength + this.#filter.byteLength;
  }

  /** The maximum number of hashes of files without credentials. */
  get room(): number {
    return this.#maxSlots * fullness * shareOfSources;
  }

  /** Adds a hash with its file and bits. Returns false if the table is full. The first file of a hash stays. */
  add(hash: number, origin: number): boolean {
    if (this.#count >= this.#slots.length * fullness && !this.#grow()) return false;
    const isCredential = (origin & credentialBit) !== 0;
    // The remaining slots are reserved for files with credentials.
    if (!isCredential && this.#count >= this.room) return false;
    const slot = this.#slotOf(hash);
    const index = this.#slots[slot] ?? 0;
    if (index === 0) {
      this.#put(slot, hash, origin);
      return true;
    }
    const before = this.#origins[index] ?? 0;
    const isStronger = isCredential && (before & credentialBit) === 0;
    const after = before === removed || isStronger ? origin : before | (origin & ~fileMask);
    if (after !== before) this.#changes += 1;
    this.#origins[index] = after;
    return true;
  }

  /** Looks up the grams of a text from one place to another by the hashes of the text before each place, and adds the hits. */
  findAll(prefixes: Int32Array, { from, to, power }: Grams, hits: Hits): void {
    const batch = { from, to, power, index: 0 };
    while (batch.from < to) {
      // Most texts contain no text of a file. If a text does, the filter is not needed.
      batch.to = Math.min(to, batch.from + gramsInBatch);
      this.#findFiltered(prefixes, batch, hits);
      batch.to = to;
      if (batch.index !== 0) this.#follow(prefixes, batch, hits);
    }
  }

  /** Finds the grams of a batch that pass the filter. `index` is then the index of the last gram, or 0 if it is absent. */
  #findFiltered(prefixes: Int32Array, batch: Batch, hits: Hits): void {
    const [known, files, passed] = [this.#hashes, this.#origins, this.#passed];
    const { to, power } = batch;
    const count = this.#filtered(prefixes, batch);
    let [index, last] = [0, -1];
    for (let candidate = 0; candidate < count; candidate += 1) {
      const place = passed[candidate] ?? 0;
      const hash = ((prefixes[place + gramLength] ?? 0) - Math.imul(prefixes[place] ?? 0, power)) | 0;
      index = index !== 0 && known[index + 1] === hash ? index + 1 : this.#indexOf(hash);
      const origin = files[index] ?? 0;
      if (origin === 0 || origin === removed) continue;
      hits.add(place, 1, hash, origin);
      last = place;
    }
    batch.from = to;
    batch.index = last === to - 1 ? index : 0;
  }

  /** Finds the next grams, as long as each is in the table: usually, each is the next one of the same file. */
  #follow(prefixes: Int32Array, batch: Batch, hits: Hits): void {
    const [known, files] = [this.#hashes, this.#origins];
    const { to, power } = batch;
    let { from: place, index } = batch;
    while (place < to) {
      const [first, hash] = [place, ((prefixes[place + gramLength] ?? 0) - Math.imul(prefixes[place] ?? 0, power)) | 0];
      index = known[index + 1] === hash ? index + 1 : this.#indexOf(hash);
      if (index === 0) break;
      const origin = files[index] ?? 0;
      place += 1;
      for (; place < to && files[index + 1] === origin; place += 1, index += 1) {
        const next = ((prefixes[place + gramLength] ?? 0) - Math.imul(prefixes[place] ?? 0, power)) | 0;
        if (known[index + 1] !== next) break;
      }
      if (origin !== removed) hits.add(first, place - first, hash, origin);
    }
    // The gram at `place` is not in the table.
    batch.from = Math.min(to, place + 1);
    batch.index = 0;
  }

  /**
   * Writes the places of the grams that pass the filter to `#passed`, and returns their number. The loop has no branch, which
   * would be hard to predict.
   */
  #filtered(prefixes: Int32Array, { from, to, power }: Batch): number {
    const [filter, passed] = [this.#filter, this.#passed];
    const mask = filter.length - 1;
    let count = 0;
    for (let place = from; place < to; place += 1) {
      const hash = ((prefixes[place + gramLength] ?? 0) - Math.imul(prefixes[place] ?? 0, power)) | 0;
      const bits = spread(hash);
      const word = filter[(bits >>> 10) & mask] ?? 0;
      passed[count] = place;
      count += (word >>> bits) & (word >>> (bits >>> 5)) & 1;
    }
    return count;
  }

  /** The file of a hash with its bits, or 0 if the hash is absent. */
  find(hash: number): number {
    const origin = this.#origins[this.#indexOf(hash)] ?? 0;
    return origin === removed ? 0 : origin;
  }

  /** Makes room for `hashes` more hashes, in slices; otherwise add() does it in one step. Yields null where it may pause. */
  *makeRoom(hashes: number): Generator<null> {
    while (this.#count + hashes > this.#slots.length * fullness) if (!(yield* this.#growing())) return;
  }

  /** Removes files: their hashes stay in the table, but are no longer found. Yields null where it may pause. */
  *remove(files: ReadonlySet<number>): Generator<null> {
    const origins = this.#origins;
    for (let index = 1; index <= this.#count; index += 1) {
      if (files.has(fileOf(origins[index] ?? 0))) {
        origins[index] = removed;
        this.#changes += 1;
      }
      if (index % entriesAtATime === 0) yield null;
    }
    // The table may have grown in the meantime.
    if (origins !== this.#origins) yield* this.remove(files);
  }

  /** The index of a hash, or 0 if it is absent. */
  #indexOf(hash: number): number {
    return this.#slots[this.#slotOf(hash)] ?? 0;
  }

  /** The slot of a hash, or the free slot for it. */
  #slotOf(hash: number): number {
    const [slots, known] = [this.#slots, this.#hashes];
    const mask = slots.length - 1;
    let slot = spread(hash) & mask;
    for (let index = slots[slot] ?? 0; index !== 0 && known[index] !== hash; index = slots[slot] ?? 0) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  /** The slot for a hash that is not in the table. */
  #freeSlot(hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = spread(hash) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    return slot;
  }

  #put(slot: number, hash: number, origin: number): void {
    this.#count += 1;
    this.#slots[slot] = this.#count;
    this.#hashes[this.#count] = hash;
    this.#origins[this.#count] = origin;
    const bits = spread(hash);
    const word = (bits >>> 10) & (this.#filter.length - 1);
    this.#filter[word] = (this.#filter[word] ?? 0) | (1 << bits) | (1 << (bits >>> 5));
  }

  #grow(): boolean {
    return finished(this.#growing());
  }

  /** Doubles the table. Returns false if it must not be larger. A search in the meantime finds all hashes. */
  *#growing(): Generator<null, boolean> {
    if (this.#slots.length * 2 > this.#maxSlots) return false;
    const larger = new GramTable(this.#maxSlots, this.#slots.length * 2);
    const changes = this.#changes;
    for (let index = 1; index <= this.#count; index += 1) {
      const [hash, origin] = [this.#hashes[index] ?? 0, this.#origins[index] ?? 0];
      if (origin !== removed) larger.#put(larger.#freeSlot(hash), hash, origin);
      if (index % entriesAtATime === 0) yield null;
    }
    // The larger table was made from origins that have changed.
    if (changes !== this.#changes) return yield* this.#growing();
    this.#slots = larger.#slots;
    this.#hashes = larger.#hashes;
    this.#origins = larger.#origins;
    this.#filter = larger.#filter;
    this.#count = larger.#count;
    return true;
  }
}
