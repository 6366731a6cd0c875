import * as crypto from 'node:crypto';

/** The SHA-256 digest as 32 bytes. crypto.hash() creates no Hash object, which is faster; Node has it since 20.12. */
export const sha256: (bytes: Uint8Array) => Buffer =
  typeof crypto.hash === 'function'
    ? (bytes) => crypto.hash('sha256', bytes, 'buffer')
    : (bytes) => crypto.createHash('sha256').update(bytes).digest();

/** Writes the digest into a buffer: allocating millions of digests would take as long as hashing. */
export const sha256Into: (bytes: Uint8Array, target: Buffer, at: number) => void =
  typeof crypto.hash === 'function'
    ? (bytes, target, at) => void target.write(crypto.hash('sha256', bytes, 'binary'), at, 'latin1')
    : (bytes, target, at) => void crypto.createHash('sha256').update(bytes).digest().copy(target, at);
