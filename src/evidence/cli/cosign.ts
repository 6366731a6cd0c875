import { randomBytes } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { append } from '../../util/append.ts';
import { fromBase64 } from '../base64.ts';
import { checkpointWords, type SignedCheckpoint } from '../checkpoint.ts';
import { cosignerOf, noteOf, publicKeyOf, type Signer, verifierKey } from '../note.ts';
import type { VerifyOptions } from '../verify/part.ts';
import { parseSeen } from '../verify/seen.ts';
import { verifyEvidence } from '../verify/verify.ts';
import { lastNote } from './lastNote.ts';
import { ascii, readSmall, UsageFault } from './usage.ts';
import { exitCodeOf, wordsOf } from './words.ts';

interface CosignOptions {
  /** A file with `PRIVATE+KEY+<name>+<key id>+<base64>`, as Go's package note writes it. */
  readonly key: string;
  /** A file with what was cosigned before, one `<origin> <size> <root>` per line. New lines are appended. */
  readonly state: string;
}

/** A new key in the form that is read here, and the vkey for policies. */
export function newKey(name: string): { readonly secret: string; readonly vkey: string } {
  const seed = randomBytes(32);
  const { id } = verifierKey(name, publicKeyOf(seed));
  const secret = `PRIVATE+KEY+${name}+${id}+${Buffer.concat([Buffer.of(1), seed]).toString('base64')}`;
  return { secret, vkey: signerOf(secret).vkey };
}

/** Throws a {@link UsageFault} that contains no part of the key. */
function signerOf(secret: string): Signer {
  const [, name = '', id = '', encoded = ''] = /^PRIVATE\+KEY\+([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(secret) ?? [];
  const bytes = fromBase64(encoded);
  if (bytes?.length !== 33 || bytes[0] !== 1 || verifierKey(name, publicKeyOf(bytes.subarray(1))).id !== id)
    throw new UsageFault('The key file has no key of the form PRIVATE+KEY+<name>+<key id>+<base64>.');
  return cosignerOf(name, bytes.subarray(1), () => Math.floor(Date.now() / 1000));
}

/**
 * Cosigns the last checkpoint of each ledger, if everything that was read is intact and extends what was cosigned before.
 * The state is on the disk before the first cosignature is printed. Returns the exit code.
 */
export async function cosign(
  options: VerifyOptions,
  { key, state }: CosignOptions,
  print: (text: string) => void,
): Promise<number> {
  const signer = signerOf((await readSmall(key)).toString('utf8').trim());
  const before = await readSmall(state).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });
  const expected = parseSeen(before.toString('latin1'), state);
  const signed: SignedCheckpoint[] = [];
  // If a ledger that was cosigned before is missing, a witness must report a break.
  const verdict = await verifyEvidence({ ...options, expected }, (part) => {
    for (const ledger of part.ledgers) append(signed, [lastNote(part, ledger, options) ?? []].flat());
  });
  if (verdict.verdict !== 'intact') {
    print(wordsOf(verdict, options.policy != null));
    return exitCodeOf(verdict);
  }
  if (signed.length === 0) throw new UsageFault('No ledger has a checkpoint.');
  for (const { origin, size } of signed) {
    const before = expected.filter((one) => one.origin === origin && one.size > size);
    if (before.length === 0) continue;
    print(
      `BROKEN. ${ascii(origin)} has a signature of ${size} lines only, and one of ${before[0]?.size} was cosigned.\n`,
    );
    return 1;
  }
  // The last write may have been incomplete: the next line must not be joined to it.
  const end = before.length === 0 || before.at(-1) === 10 ? '' : '\n';
  await appendFile(state, end + signed.map((checkpoint) => `${checkpointWords(checkpoint)}\n`).join(''), {
    mode: 0o600,
    flush: true,
  });
  print(signed.map((checkpoint) => cosigned(checkpoint, signer)).join('\n'));
  return 0;
}

function cosigned({ note, ...checkpoint }: SignedCheckpoint, signer: Signer): string {
  const own = note.signatures.filter(({ name }) => name === checkpoint.origin);
  return noteOf({ text: note.text, signatures: own }) + signer.sign(note.text);
}
