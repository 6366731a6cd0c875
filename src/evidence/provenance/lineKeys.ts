import { sha256 } from '../sha256.ts';

/**
 * The length of a line's key in bytes; the others are for its tag and its match. The author of a note chooses the keys, and could
 * search for a key with which another line has the same short tag. The key of a match stays on the machine.
 */
export const keyBytes = 16;
export const tagBytes = 16;
export const matchBytes = 8;

/** The data that is kept and recorded about the lines of an accepted edit. It reveals nothing about them without a key. */
interface SealedLines {
  /** The tags, one per line. */
  readonly tags: Buffer;
  /** The matches that find the lines again in a commit, one per line. */
  readonly matches: Buffer;
  /** The SHA-256 of all tags in base64, as in the record of the log. */
  readonly code: string;
}

/**
 * Removes white space (ECMAScript's `\s`) from a line before it is compared, so that a formatter or another indentation
 * changes nothing.
 */
export function withoutSpace(line: string): string {
  return line.replace(/\s+/gu, '');
}

/** The key of an edit. `provenanceKey` has 32 bytes and never leaves the machine. */
export function editKeyOf(provenanceKey: Uint8Array, edit: string): Buffer {
  return hmac(provenanceKey, `edit ${edit}`);
}

/** The key of one line, counted from 0. With it and the line, only the tag of this line can be computed. */
export function lineKeyOf(editKey: Uint8Array, index: number): Buffer {
  return hmac(editKey, `line ${index}`).subarray(0, keyBytes);
}

/** The tag of a line. `text` is the line without white space. */
export function tagOf(lineKey: Uint8Array, text: string): Buffer {
  return hmac(lineKey, text).subarray(0, tagBytes);
}

/** The match of a line, which is equal for equal lines at any place of an edit. `text` has no white space. */
export function matchOf(editKey: Uint8Array, text: string): Buffer {
  return hmac(editKey, `match ${text}`).subarray(0, matchBytes);
}

export function codeOf(tags: Uint8Array): string {
  return sha256(tags).toString('base64');
}

export function sealLines(editKey: Uint8Array, lines: readonly string[]): SealedLines {
  const texts = lines.map(withoutSpace);
  const tags = Buffer.concat(texts.map((text, index) => tagOf(lineKeyOf(editKey, index), text)));
  return { tags, matches: Buffer.concat(texts.map((text) => matchOf(editKey, text))), code: codeOf(tags) };
}

/** Returns the tag of one line of an edit, or null if the edit has no such line. */
export function tagAt(tags: Uint8Array, index: number): Buffer | null {
  const tag = Buffer.from(tags.subarray(index * tagBytes, (index + 1) * tagBytes));
  return tag.length === tagBytes ? tag : null;
}

/** HMAC-SHA-256 (RFC 2104), for keys of at most 64 bytes: Node's own takes several times as long for a line. */
function hmac(key: Uint8Array, text: string): Buffer {
  const padded = (pad: number) => Buffer.alloc(64, pad).map((byte, at) => byte ^ (key[at] ?? 0));
  return sha256(Buffer.concat([padded(0x5c), sha256(Buffer.concat([padded(0x36), Buffer.from(text)]))]));
}
