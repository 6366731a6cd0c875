import { hash, randomBytes } from 'node:crypto';

/** The random key of this window, only in its memory: without it, a tag reveals nothing about a secret. */
const key = randomBytes(32).toString('hex');
const letters = 'abcdefghijklmnopqrstuvwxyz234567';

/** The length of a tag: two secrets of a file share one in one of 33 million pairs. */
const tagLength = 5;

/** The pattern of a tag, which is so short that no rule finds a secret in it. */
export const tagPattern = `[a-z2-7]{${tagLength}}`;

/** Identifies a secret within this window: the same secret has the same tag, regardless of its line breaks. */
export function tagOf(secret: string): string {
  // A tag is very short and never written to the disk: a hash of key and text is as good as a MAC, in a tenth of its time.
  const digest = hash('sha256', key + secret.replace(/\r\n?/g, '\n'), 'buffer');
  return Array.from({ length: tagLength }, (_, index) => letters[(digest[index] ?? 0) % 32]).join('');
}
