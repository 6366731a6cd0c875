import * as crypto from 'node:crypto';

/** The SHA-256 digest as 32 bytes. crypto.hash() creates no Hash object, which is faster; Node has it since 20.12. */
export const sha256 = (bytes: Uint8Array): Buffer => crypto.hash('sha256', bytes, 'buffer');

/** Writes the digest to the start of a buffer: allocating millions of digests would take as long as hashing. */
export const sha256Into = (bytes: Uint8Array, target: Buffer): void =>
  void target.write(crypto.hash('sha256', bytes, 'binary'), 'latin1');
