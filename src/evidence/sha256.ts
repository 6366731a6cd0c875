import * as crypto from 'node:crypto';

/** The SHA-256 digest as 32 bytes. Node 20.12 has a function for it that makes no object; older ones have only the other. */
export const sha256: (bytes: Uint8Array) => Buffer =
  typeof crypto.hash === 'function'
    ? (bytes) => crypto.hash('sha256', bytes, 'buffer')
    : (bytes) => crypto.createHash('sha256').update(bytes).digest();
