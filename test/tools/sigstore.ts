// @sigstore/verify, another implementation of Merkle proofs and checkpoints. It is one of the packages of test/contract.
import type { KeyObject } from 'node:crypto';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { installOnce } from './installOnce.ts';

export interface Sigstore {
  verifyMerkleInclusion(
    entry: { inclusionProof: { logIndex: string; hashes: readonly Buffer[] }; canonicalizedBody: Buffer },
    checkpoint: { logSize: bigint; logHash: Buffer },
  ): void;
  verifyCheckpoint(
    entry: { inclusionProof: { checkpoint: { envelope: string } } },
    logs: readonly { logID: Buffer; baseURL: string; publicKey: KeyObject }[],
  ): unknown;
}

/** Installs it, if this is the first run that needs it. */
export function loadSigstore(): Sigstore {
  installOnce(new URL('../contract/', import.meta.url));
  const installed = new URL('../contract/node_modules/@sigstore/verify/dist/tlog/index.js', import.meta.url);
  const load = createRequire(fileURLToPath(installed));
  return { ...load('./merkle.js'), ...load('./checkpoint.js') } as Sigstore;
}

/** Their functions throw where something does not hold. */
export function agrees(task: () => void): boolean {
  try {
    task();
    return true;
  } catch {
    return false;
  }
}
