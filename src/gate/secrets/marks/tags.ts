import { createHmac, randomBytes } from 'node:crypto';

/** Of this window, in its memory alone: a tag says nothing about a secret to whoever has no key. */
const key = randomBytes(32);
const letters = 'abcdefghijklmnopqrstuvwxyz234567';

/** How many characters a tag has: two secrets of a file have the same one in one of 33 million pairs. */
export const tagLength = 5;

/** The pattern of a tag: so short that no rule finds a secret in it. */
export const tagPattern = `[a-z2-7]{${tagLength}}`;

/** Tells the secrets of this window apart: the same one has the same tag, whatever ends its lines. */
export function tagOf(secret: string): string {
  const digest = createHmac('sha256', key).update(secret.replace(/\r\n?/g, '\n')).digest();
  return Array.from({ length: tagLength }, (_, index) => letters[(digest[index] ?? 0) % 32]).join('');
}
