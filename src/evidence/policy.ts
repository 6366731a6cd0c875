// The file of trusted keys, in the format https://c2sp.org/tlog-policy without groups: one key may be required to cosign.
import { checkNote, keyTypes, parseVkey, type SignedNote, type VerifierKey } from './note.ts';

export interface Policy {
  /** The keys of the logs, by their origin. */
  readonly logs: ReadonlyMap<string, VerifierKey>;
  /** The key that must have cosigned; null if no key must. */
  readonly cosigner: VerifierKey | null;
}

/** Thrown for a policy that cannot be used. */
export class PolicyFault extends Error {}

/** Reads a policy from its bytes: names are compared byte by byte. Throws a {@link PolicyFault}. */
export function parsePolicy(bytes: Uint8Array): Policy {
  const logs = new Map<string, VerifierKey>();
  const cosigners = new Map<string, VerifierKey>();
  let cosigner: VerifierKey | null | undefined;
  const lines = Buffer.from(bytes).toString('latin1').split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    const fail = (message: string): never => {
      throw new PolicyFault(`line ${index + 1}: ${message}`);
    };
    if (/[^\t\x20-\x7e\x80-\xff]/.test(line)) fail('control character');
    const [word, ...rest] = line.split(/[ \t]+/).filter((part) => part !== '');
    if (word === undefined || word.startsWith('#')) continue;
    if (word === 'log' && (rest.length === 1 || rest.length === 2)) {
      const key = keyOf(rest[0], keyTypes.ed25519) ?? fail('no Ed25519 key of a log');
      if (logs.has(key.name)) fail('the same log twice');
      logs.set(key.name, key);
    } else if (word === 'witness' && (rest.length === 2 || rest.length === 3)) {
      const key = keyOf(rest[1], keyTypes.cosignature) ?? fail('no key of a cosigner');
      const [name = ''] = rest;
      if (name === 'none' || cosigners.has(name)) fail('a name that is taken');
      cosigners.set(name, key);
    } else if (word === 'quorum' && rest.length === 1 && cosigner === undefined) {
      cosigner = rest[0] === 'none' ? null : (cosigners.get(rest[0] ?? '') ?? fail('an unknown name'));
    } else {
      fail('unknown, or twice');
    }
  }
  if (cosigner === undefined) throw new PolicyFault('no quorum');
  return { logs, cosigner };
}

/** Parses a key. The text of a policy is read as latin1, but names of keys are UTF-8. */
function keyOf(vkey: string | undefined, type: VerifierKey['type']): VerifierKey | null {
  const key = parseVkey(Buffer.from(vkey ?? '', 'latin1').toString('utf8'));
  return key !== null && key.type === type ? key : null;
}

/** Whether the key that a policy requires has cosigned a note. */
export function isCosigned(note: SignedNote, { cosigner }: Policy): boolean {
  return cosigner === null || checkNote(note, cosigner) === 'valid';
}
