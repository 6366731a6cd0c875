// Merkle trees of RFC 6962, section 2.1, over leaf hashes.
import { sha256, sha256Into } from './sha256.ts';

/** The root of a tree without leaves. */
export const emptyRoot: Buffer = sha256(Buffer.alloc(0));

const pair = Buffer.alloc(65, 1);
const carried = Buffer.alloc(32);

/** Writes the hash of two nodes of 32 bytes each to a buffer, and returns it. */
function nodeOf(left: Uint8Array, right: Uint8Array, target: Buffer = Buffer.alloc(32)): Buffer {
  pair.set(left, 1);
  pair.set(right, 33);
  sha256Into(pair, target);
  return target;
}

/** A tree that only grows: it keeps one hash for each level, never the leaves. */
export class GrowingTree {
  /** The roots of the full subtrees: the one with 2^n leaves is at index n, if the size has that bit. */
  readonly #full: Buffer[] = [];
  #size = 0;

  /** The number of leaves. */
  get size(): number {
    return this.#size;
  }

  /** Adds a leaf hash of 32 bytes. */
  push(leaf: Buffer): void {
    let node = leaf;
    let level = 0;
    for (let rest = this.#size; rest % 2 === 1; rest = half(rest)) {
      node = nodeOf(this.#full[level] as Buffer, node, carried);
      level += 1;
    }
    this.#full[level] ??= Buffer.alloc(32);
    this.#full[level]?.set(node);
    this.#size += 1;
  }

  root(): Buffer {
    let root: Buffer | undefined;
    for (let level = 0, rest = this.#size; rest > 0; level += 1, rest = half(rest)) {
      const left = this.#full[level] as Buffer;
      if (rest % 2 === 1) root = root === undefined ? Buffer.from(left) : nodeOf(left, root, root);
    }
    return root ?? emptyRoot;
  }

  copy(): GrowingTree {
    const copy = new GrowingTree();
    for (const node of this.#full) copy.#full.push(Buffer.from(node));
    copy.#size = this.#size;
    return copy;
  }
}

/** The root of a tree of these leaves. */
export function rootOf(leaves: readonly Buffer[]): Buffer {
  const tree = new GrowingTree();
  for (const leaf of leaves) tree.push(leaf);
  return tree.root();
}

/** The audit path of a leaf, from its sibling up. `index` counts from 0. */
export function inclusionProof(leaves: readonly Buffer[], index: number): readonly Buffer[] {
  if (!(Number.isSafeInteger(index) && index >= 0 && index < leaves.length)) throw new RangeError('No such leaf.');
  if (leaves.length === 1) return [];
  // The largest power of two below the number of leaves.
  const middle = 2 ** (31 - Math.clz32(leaves.length - 1));
  const [left, right] = [leaves.slice(0, middle), leaves.slice(middle)];
  return index < middle
    ? [...inclusionProof(left, index), rootOf(right)]
    : [...inclusionProof(right, index - middle), rootOf(left)];
}

interface InclusionClaim {
  readonly leaf: Buffer;
  readonly index: number;
  readonly size: number;
  readonly proof: readonly Buffer[];
  readonly root: Uint8Array;
}

/** Verifies an audit path as in RFC 9162, section 2.1.3.2. */
export function verifyInclusion({ leaf, index, size, proof, root }: InclusionClaim): boolean {
  const areSizes = [index, size].every((number) => Number.isSafeInteger(number) && number >= 0);
  if (!areSizes || index >= size || ![leaf, ...proof].every((hash) => hash.length === 32)) return false;
  let [at, last, node] = [index, size - 1, leaf];
  for (const sibling of proof) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      node = nodeOf(sibling, node);
      // A node at the right edge without a sibling moves up to the next level.
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)];
    } else {
      node = nodeOf(node, sibling);
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && node.equals(root);
}

/** Half of a number. There is no bitwise operator, because sizes may exceed 32 bits. */
function half(number: number): number {
  return Math.floor(number / 2);
}
