// Signed notes: https://c2sp.org/signed-note, and their cosignatures: https://c2sp.org/tlog-cosignature.
import * as crypto from 'node:crypto';
import { fromBase64 } from './base64.ts';
import { sha256 } from './sha256.ts';

/** The known types of keys, as in the first byte of a vkey. */
export const keyTypes = { ed25519: 1, cosignature: 4 } as const;
type KeyType = (typeof keyTypes)[keyof typeof keyTypes];

/** A verifier key, from `<name>+<key id in hex>+<base64 of type and key>`. */
export interface VerifierKey {
  readonly vkey: string;
  readonly name: string;
  /** The key id, 8 hex digits. */
  readonly id: string;
  readonly type: KeyType;
  /** The Ed25519 key, 32 bytes. */
  readonly publicKey: Buffer;
}

interface NoteSignature {
  readonly name: string;
  /** The key id, 8 hex digits. */
  readonly id: string;
  /** The bytes after the key id. */
  readonly bytes: Buffer;
}

export interface SignedNote {
  /** The text with its last line ending. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

export interface Signer {
  readonly vkey: string;
  /** Returns the signature line of a note text, with its line ending. */
  sign(text: string): string;
}

/** The maximum number of signatures of a note, and its maximum length, with room for signatures of unknown types. */
const maxSignatures = 64;
const maxNoteLength = 64_000;

/** Whether a text is a key name, which contains no white space and no plus sign. */
function isKeyName(name: string): boolean {
  return name.length > 0 && name.length <= 200 && !/[\s+\u0085\p{Cc}\p{Cs}]/u.test(name);
}

export function verifierKey(name: string, publicKey: Uint8Array, type: KeyType = keyTypes.ed25519): VerifierKey {
  const bytes = Buffer.concat([Buffer.of(type), publicKey]);
  // SHA-256(name || 0x0A || type || key)[0:4]
  const id = sha256(Buffer.concat([Buffer.from(`${name}\n`), bytes])).toString('hex', 0, 4);
  return { vkey: `${name}+${id}+${bytes.toString('base64')}`, name, id, type, publicKey: bytes.subarray(1) };
}

function isKeyType(type: number | undefined): type is KeyType {
  return type === keyTypes.ed25519 || type === keyTypes.cosignature;
}

/** Parses a vkey. Returns null if it is not one, its type is unknown, or its id does not match its name and key. */
export function parseVkey(text: string): VerifierKey | null {
  const [, name = '', encoded = ''] = /^([^+]+)\+[0-9a-f]{8}\+([A-Za-z0-9+/=]+)$/.exec(text) ?? [];
  const bytes = fromBase64(encoded);
  if (bytes?.length !== 33 || !isKeyName(name) || !isKeyType(bytes[0])) return null;
  const key = verifierKey(name, bytes.subarray(1), bytes[0]);
  return key.vkey === text ? key : null;
}

/** Parses a signed note. Returns null if it is not one: no part of it may be used then. */
export function parseNote(note: string): SignedNote | null {
  if (note.length > maxNoteLength || /[\p{Cc}\p{Cs}]/u.test(note.replaceAll('\n', ''))) return null;
  const at = note.lastIndexOf('\n\n');
  if (at < 0 || !note.endsWith('\n') || at + 2 === note.length) return null;
  const lines = note.slice(at + 2, -1).split('\n');
  const signatures = lines.map(parseSignature).filter((signature) => signature !== null);
  if (signatures.length !== lines.length || lines.length > maxSignatures) return null;
  return { text: note.slice(0, at + 1), signatures };
}

function parseSignature(line: string): NoteSignature | null {
  const [, name = '', encoded = ''] = /^\u2014 ([^ ]+) ([A-Za-z0-9+/=]+)$/u.exec(line) ?? [];
  const bytes = fromBase64(encoded);
  if (!isKeyName(name) || bytes === null || bytes.length < 5) return null;
  return { name, id: bytes.toString('hex', 0, 4), bytes: bytes.subarray(4) };
}

/** Writes a note as text. */
export function noteOf({ text, signatures }: SignedNote): string {
  return `${text}\n${signatures.map(({ name, id, bytes }) => signatureLine(name, id, bytes)).join('')}`;
}

function signatureLine(name: string, id: string, signature: Uint8Array): string {
  return `\u2014 ${name} ${Buffer.concat([Buffer.from(id, 'hex'), signature]).toString('base64')}\n`;
}

/**
 * Whether a note has signatures by a key, and all of them verify. Returns `unknown` if it has no signature by the key:
 * signatures by other keys are ignored.
 */
export function checkNote(note: SignedNote, key: VerifierKey): 'valid' | 'invalid' | 'unknown' {
  const own = note.signatures.filter(({ name, id }) => name === key.name && id === key.id);
  if (own.length === 0) return 'unknown';
  return own.every(({ bytes }) => verifyOne(note.text, bytes, key)) ? 'valid' : 'invalid';
}

function verifyOne(text: string, signature: Buffer, key: VerifierKey): boolean {
  try {
    if (key.type === keyTypes.ed25519) return verifyBytes(Buffer.from(text), signature, key);
    // The time is at most 2^63 - 1: https://c2sp.org/tlog-cosignature.
    if (signature.length < 8 || (signature[0] as number) > 0x7f) return false;
    return verifyBytes(cosigned(text, signature), signature.subarray(8), key);
  } catch {
    // OpenSSL throws for a key that is not a point of the curve.
    return false;
  }
}

function cosigned(text: string, signature: Buffer): Buffer {
  return Buffer.from(`cosignature/v1\ntime ${signature.readBigUInt64BE(0)}\n${text}`);
}

/** The DER prefixes of a public and a private key: RFC 8410, sections 4 and 7. */
const keyPrefix = Buffer.from('302a300506032b6570032100', 'hex');
const seedPrefix = Buffer.from('302e020100300506032b657004220420', 'hex');

const keyObjects = new WeakMap<VerifierKey, crypto.KeyObject>();

function verifyBytes(message: Buffer, signature: Buffer, key: VerifierKey): boolean {
  return crypto.verify(null, message, keyObjectOf(key), signature);
}

/** Returns the key object, which is cached because OpenSSL takes longer to parse a key than to use it. */
function keyObjectOf(key: VerifierKey): crypto.KeyObject {
  const known = keyObjects.get(key);
  if (known !== undefined) return known;
  const der = Buffer.concat([keyPrefix, key.publicKey]);
  const keyObject = crypto.createPublicKey({ key: der, format: 'der', type: 'spki' });
  keyObjects.set(key, keyObject);
  return keyObject;
}

/** A signer with an Ed25519 seed of 32 bytes. */
export function signerOf(name: string, seed: Uint8Array): Signer {
  const { vkey, id, key } = keyPair(name, seed, keyTypes.ed25519);
  return { vkey, sign: (text) => signatureLine(name, id, crypto.sign(null, Buffer.from(text), key)) };
}

/** A cosigner with an Ed25519 seed of 32 bytes. Its signature includes the time in seconds since 1970. */
export function cosignerOf(name: string, seed: Uint8Array, now: () => number): Signer {
  const { vkey, id, key } = keyPair(name, seed, keyTypes.cosignature);
  return {
    vkey,
    sign(text) {
      const time = Buffer.alloc(8);
      time.writeBigUInt64BE(BigInt(now()));
      return signatureLine(name, id, Buffer.concat([time, crypto.sign(null, cosigned(text, time), key)]));
    },
  };
}

function keyPair(name: string, seed: Uint8Array, type: KeyType) {
  return { ...verifierKey(name, publicKeyOf(seed), type), key: privateKeyOf(seed) };
}

function privateKeyOf(seed: Uint8Array): crypto.KeyObject {
  return crypto.createPrivateKey({ key: Buffer.concat([seedPrefix, seed]), format: 'der', type: 'pkcs8' });
}

/** The Ed25519 public key, 32 bytes, of a seed of 32 bytes. */
export function publicKeyOf(seed: Uint8Array): Buffer {
  if (seed.length !== 32) throw new RangeError('A seed has 32 bytes.');
  return crypto.createPublicKey(privateKeyOf(seed)).export({ format: 'der', type: 'spki' }).subarray(-32);
}
