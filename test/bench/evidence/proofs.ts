import { readFileSync } from 'node:fs';
import { leafOf } from '../../../src/evidence/line.ts';
import { emptyRoot, verifyInclusion } from '../../../src/evidence/tree.ts';
import type { Row } from './row.ts';

interface Vectors {
  /** In hexadecimal digits. */
  readonly leaves: readonly string[];
  /** In base64, by size. */
  readonly roots: readonly string[];
  readonly inclusion: readonly (Record<'index' | 'size', number> & Proof)[];
}

interface Proof {
  readonly proof: readonly string[];
  readonly good: boolean;
}

const bytes = (proof: readonly string[]) => proof.map((hash) => Buffer.from(hash, 'base64'));

/** Those of the fixtures. The vectors of transparency-dev/merkle are not in this repository. */
export async function proofsRow(): Promise<Row> {
  const { leaves, roots, inclusion }: Vectors = JSON.parse(
    readFileSync(new URL('../../fixtures/evidence/merkle.json', import.meta.url), 'utf8'),
  );
  const rootAt = (size: number) => Buffer.from(roots[size] ?? emptyRoot.toString('base64'), 'base64');
  const included = inclusion.map(({ index, size, proof, good }) => {
    const leaf = leafOf(Buffer.from(leaves[index] ?? '', 'hex'));
    return verifyInclusion({ leaf, index, size, root: rootAt(size), proof: bytes(proof) }) === good;
  });
  return {
    bar: 'proofs of inclusion, all',
    measured: `${included.filter(Boolean).length} of ${included.length}`,
    isMet: included.every(Boolean),
  };
}
