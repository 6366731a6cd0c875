import { signerOf } from '../../src/evidence/note.ts';
import { sha256 } from '../../src/evidence/sha256.ts';

/** A signer of delivered policies, by its name: the same name gives the same key. */
export function policySigner(name: string) {
  return signerOf(name, sha256(Buffer.from(name)));
}

/** Returns a delivered policy as its signed note. `signers` are names. */
export function signedPolicy(delivered: unknown, signers: readonly string[] = ['policy.example.com']): string {
  const text = `${typeof delivered === 'string' ? delivered : JSON.stringify(delivered, null, 2)}\n`;
  return `${text}\n${signers.map((name) => policySigner(name).sign(text)).join('')}`;
}
