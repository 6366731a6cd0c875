import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { leafOf } from '../../../src/evidence/line.ts';
import { emptyRoot, GrowingTree, inclusionProof, rootOf, verifyInclusion } from '../../../src/evidence/tree.ts';
import { expected, linesOf, vector } from './vectors.ts';

interface Merkle {
  readonly leaves: readonly string[];
  readonly roots: readonly string[];
  readonly inclusion: readonly { index: number; size: number; proof: readonly string[]; good: boolean }[];
}

const merkle = JSON.parse(vector('merkle.json')) as Merkle;
const vectorLeaves = merkle.leaves.map((hex) => leafOf(Buffer.from(hex, 'hex')));
const vectorRoots = merkle.roots.map((root) => Buffer.from(root, 'base64'));
const bytes = (proof: readonly string[]) => proof.map((hash) => Buffer.from(hash, 'base64'));

/** The definitions of RFC 6962, section 2.1, word for word: MTH and PATH. */
const hash = (...parts: readonly Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
const k = (n: number) => 2 ** Math.floor(Math.log2(n - 1));
function mth(d: readonly Buffer[]): Buffer {
  if (d.length === 0) return hash();
  if (d.length === 1) return d[0] as Buffer;
  return hash(Buffer.of(1), mth(d.slice(0, k(d.length))), mth(d.slice(k(d.length))));
}
function path(m: number, d: readonly Buffer[]): Buffer[] {
  if (d.length === 1) return [];
  const at = k(d.length);
  return m < at ? [...path(m, d.slice(0, at)), mth(d.slice(at))] : [...path(m - at, d.slice(at)), mth(d.slice(0, at))];
}

const leaf = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((array) => Buffer.from(array));
const leavesUpTo = (maxLength: number) => fc.array(leaf, { minLength: 1, maxLength, size: 'max' });

describe('the trees of the evidence', () => {
  it('have the roots of the vectors, at each size', () => {
    const tree = new GrowingTree();
    assert.deepEqual(tree.root(), vectorRoots[0]);
    for (const [index, one] of vectorLeaves.entries()) {
      tree.push(one);
      assert.deepEqual(tree.root(), vectorRoots[index + 1]);
    }
    assert.equal(tree.size, vectorLeaves.length);
    assert.deepEqual(emptyRoot, vectorRoots[0]);
  });

  it('have the roots of the sample log', () => {
    const roots = (lines: readonly string[]) =>
      lines.map((_, index) => rootOf(lines.slice(0, index + 1).map(leafOf)).toString('base64'));
    assert.deepEqual(roots(linesOf('20261102T080000Z')), expected.sessionRoots);
    const content = linesOf('ledger-').filter((line) => !line.includes('"kind":"checkpoint"'));
    assert.deepEqual(roots(content), expected.ledgerRoots);
  });

  it('verify the proofs of the vectors that hold, and refuse those that do not', () => {
    const counts = { good: 0, bad: 0 };
    for (const { index, size, proof, good } of merkle.inclusion) {
      const claim = { leaf: vectorLeaves[index] ?? emptyRoot, index, size, root: vectorRoots[size] ?? emptyRoot };
      assert.equal(verifyInclusion({ ...claim, proof: bytes(proof) }), good, JSON.stringify({ index, size }));
      counts[good ? 'good' : 'bad'] += 1;
    }
    assert.deepEqual(counts, { good: 36, bad: 21 });
  });

  it('agree with the definitions of RFC 6962', () => {
    fc.assert(
      fc.property(leavesUpTo(70), fc.nat(), (leaves, first) => {
        const index = first % leaves.length;
        assert.deepEqual(rootOf(leaves), mth(leaves));
        assert.deepEqual(inclusionProof(leaves, index), path(index, leaves));
      }),
    );
  });

  it('verify each proof that they make, and none that was changed', () => {
    const change = fc.record({ at: fc.nat(), bit: fc.nat(255), what: fc.constantFrom('flip', 'drop', 'add', 'place') });
    fc.assert(
      fc.property(leavesUpTo(70), fc.nat(), change, (leaves, first, { at, bit, what }) => {
        const size = leaves.length;
        const index = first % size;
        const root = rootOf(leaves);
        const inclusion = { leaf: leaves[index] as Buffer, index, size, root, proof: inclusionProof(leaves, index) };
        assert.ok(verifyInclusion(inclusion));
        const changed = (proof: readonly Buffer[]) => {
          const copy = proof.map((one) => Buffer.from(one));
          const one = copy[at % Math.max(1, copy.length)];
          if (what === 'add') copy.splice(at % (copy.length + 1), 0, Buffer.alloc(32, bit));
          else if (what === 'drop') copy.splice(at % Math.max(1, copy.length), 1);
          else if (one !== undefined) one[bit >> 3] = (one[bit >> 3] as number) ^ (1 << (bit & 7));
          return copy;
        };
        if (what === 'place') {
          // Another leaf of the same content would be proven by the same path.
          const other = (index + 1 + (at % size)) % size;
          assert.equal(verifyInclusion({ ...inclusion, index: other }), other === index);
          return;
        }
        if (inclusion.proof.length > 0 || what === 'add')
          assert.equal(verifyInclusion({ ...inclusion, proof: changed(inclusion.proof) }), false);
      }),
    );
  });

  it('accept sizes past 32 bits, and refuse what is not a size', () => {
    const size = 2 ** 40;
    const proof = Array.from({ length: 40 }, () => emptyRoot);
    const claim = { leaf: emptyRoot, index: 5, size, proof, root: emptyRoot };
    assert.equal(verifyInclusion(claim), false);
    for (const index of [-1, 0.5, Number.NaN, size, 2 ** 53]) assert.equal(verifyInclusion({ ...claim, index }), false);
    assert.throws(() => inclusionProof([], 0), RangeError);
  });

  it('go on from a copy without a change of the first', () => {
    const tree = new GrowingTree();
    for (const one of vectorLeaves.slice(0, 3)) tree.push(one);
    const copy = tree.copy();
    copy.push(vectorLeaves[3] as Buffer);
    assert.deepEqual([tree.root(), copy.root()], [vectorRoots[3], vectorRoots[4]]);
  });
});
