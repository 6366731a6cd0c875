import { createHash } from 'node:crypto';

/** The SHA-256 digest in hex; a text is hashed as UTF-8. */
export function sha256Hex(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
