import { sha256 } from './sha256.ts';

/** The first 16 bytes of `SHA-256(public key)` in hex, so that each key has a different name. */
export function logIdOf(publicKey: Uint8Array): string {
  return sha256(publicKey).toString('hex', 0, 16);
}

/** The name of a ledger, in its checkpoints and in its key. */
export function originOf(publicKey: Uint8Array, prefix = 'svc-coder'): string {
  return `${prefix}/${logIdOf(publicKey)}`;
}

/** The log id at the end of an origin. */
export function logIdIn(origin: string): string {
  return origin.slice(origin.lastIndexOf('/') + 1);
}
