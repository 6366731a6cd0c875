import { randomBytes } from 'node:crypto';

/** How many places are hashed at a time. */
export const blockLength = 4096;

/** The secret of a window, so that no text can be prepared whose hashes collide. It is never written. */
export class HashKey {
  /** A random number for each unit modulo 256, and for its upper byte. */
  readonly #low = random(256);
  readonly #high = random(256);
  /** Odd, so that no bits of earlier units are lost. */
  readonly #base = (random(1)[0] ?? 0) | 1;

  constructor() {
    this.#high[0] = 0;
  }

  /** The hash of the units from `from` to `to`. */
  of(units: Uint16Array, from: number, to: number): number {
    let hash = 0;
    for (let at = from; at < to; at += 1) hash = (Math.imul(hash, this.#base) + this.#number(units[at] ?? 0)) | 0;
    return hash >>> 0;
  }

  /**
   * Writes the hashes of `length` units each, at the places from `from` on (Rabin and Karp), until `out` is full or
   * `units` ends. Returns their number.
   */
  block(units: Uint16Array, length: number, from: number, out: Uint32Array): number {
    const count = Math.min(out.length, units.length - length + 1 - from);
    if (count <= 0) return 0;
    const [low, high, base] = [this.#low, this.#high, this.#base];
    let power = 1;
    for (let step = 0; step < length; step += 1) power = Math.imul(power, base);
    let hash = this.of(units, from, from + length) | 0;
    out[0] = hash >>> 0;
    for (let index = 1; index < count; index += 1) {
      const removed = units[from + index - 1] ?? 0;
      const added = units[from + index - 1 + length] ?? 0;
      const minus = Math.imul(power, (low[removed & 255] ?? 0) ^ (high[removed >> 8] ?? 0));
      hash = (Math.imul(hash, base) + ((low[added & 255] ?? 0) ^ (high[added >> 8] ?? 0)) - minus) | 0;
      out[index] = hash >>> 0;
    }
    return count;
  }

  #number(unit: number): number {
    return (this.#low[unit & 255] ?? 0) ^ (this.#high[unit >> 8] ?? 0);
  }
}

function random(count: number): Uint32Array {
  const bytes = randomBytes(count * 4);
  return Uint32Array.from({ length: count }, (_, index) => bytes.readUInt32LE(index * 4));
}

/** Spreads a hash over all bits (the finalizer of MurmurHash3, with one round less). */
export function spread(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}

/** The same with other bits. */
export function spreadAgain(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 12)) >>> 0;
}

/** What winnowing compares: other bits than a table's slots are taken from, or these would cluster. */
export function rank(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 14), 0x297a2d39);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
