import { randomBytes } from 'node:crypto';

/** The maximum length of a text whose hash `HashKey.between` computes, in units. */
export const maxHashedLength = 64;

/** The random key of a window: an attacker who does not know it cannot prepare texts whose hashes collide. It is never stored. */
export class HashKey {
  /** A random number for each unit modulo 256, and for its upper byte. */
  readonly #low = random(256);
  readonly #high = random(256);
  /** The base is odd, so that no bits of earlier units are lost. */
  readonly #base = (random(1)[0] ?? 0) | 1;
  /** The powers of the base. */
  readonly #powers = new Int32Array(maxHashedLength + 1);

  constructor() {
    this.#high[0] = 0;
    this.#powers[0] = 1;
    for (let at = 1; at <= maxHashedLength; at += 1)
      this.#powers[at] = Math.imul(this.#powers[at - 1] ?? 0, this.#base);
  }

  /**
   * Writes the hash of the units before each place, and of all units, as 32-bit integers (Rabin and Karp): the hash of the units
   * between two places follows from their two hashes.
   */
  prefixes(units: Uint16Array, out: Int32Array): void {
    const [low, high, base] = [this.#low, this.#high, this.#base];
    let hash = 0;
    out[0] = 0;
    for (let at = 0; at < units.length; at += 1) {
      const unit = units[at] ?? 0;
      hash = (Math.imul(hash, base) + ((low[unit & 255] ?? 0) ^ (high[unit >> 8] ?? 0))) | 0;
      out[at + 1] = hash;
    }
  }

  /** The hash of the units from `from` to `to`, at most `maxHashedLength`. */
  between(prefixes: Int32Array, from: number, to: number): number {
    return ((prefixes[to] ?? 0) - Math.imul(prefixes[from] ?? 0, this.#powers[to - from] ?? 0)) | 0;
  }

  /** The factor for an earlier hash when `length` units follow. */
  power(length: number): number {
    return this.#powers[length] ?? 0;
  }
}

function random(count: number): Int32Array {
  const bytes = randomBytes(count * 4);
  return Int32Array.from({ length: count }, (_, index) => bytes.readInt32LE(index * 4));
}

/** Spreads a hash over all bits (the finalizer of MurmurHash3, with one round less). */
export function spread(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return mixed ^ (mixed >>> 13);
}

/** The value that winnowing compares. It uses other bits than a table's slots, which would cluster otherwise. */
export function rank(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 14), 0x297a2d39);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
