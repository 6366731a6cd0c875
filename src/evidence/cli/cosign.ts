import * as crypto from 'node:crypto';
import { appendFile, chmod, open, realpath, rm, stat } from 'node:fs/promises';
import { append } from '../../util/append.ts';
import { fromBase64 } from '../base64.ts';
import { checkpointWords, type SignedCheckpoint } from '../checkpoint.ts';
import { cosignerOf, noteOf, publicKeyOf, type Signer, verifierKey } from '../note.ts';
import type { VerifyOptions } from '../verify/part.ts';
import { parseSeen, type SeenCheckpoint } from '../verify/seen.ts';
import { verifyEvidence } from '../verify/verify.ts';
import { lastNote } from './lastNote.ts';
import { ascii, readSmall, stop } from './usage.ts';
import { printVerdict } from './words.ts';

interface CosignOptions {
  /** The file with `PRIVATE+KEY+<name>+<key id>+<base64>`, as Go's package note writes it. */
  readonly key: string;
  /** The file with the checkpoints that were cosigned before, one `<origin> <size> <root>` per line. New lines are appended. */
  readonly state: string;
}

/** Returns a new key in the form that cosign reads, and the vkey for policies. */
export function newKey(name: string): { readonly secret: string; readonly vkey: string } {
  const seed = crypto.randomBytes(32);
  const { id } = verifierKey(name, publicKeyOf(seed));
  const secret = `PRIVATE+KEY+${name}+${id}+${Buffer.concat([Buffer.of(1), seed]).toString('base64')}`;
  return { secret, vkey: signerOf(secret).vkey };
}

/** Returns the signer of a key. Throws a {@link UsageFault} that contains no part of the key. */
function signerOf(secret: string): Signer {
  const [, name = '', id = '', encoded = ''] = /^PRIVATE\+KEY\+([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(secret) ?? [];
  const bytes = fromBase64(encoded);
  if (bytes?.length !== 33 || bytes[0] !== 1 || verifierKey(name, publicKeyOf(bytes.subarray(1))).id !== id)
    stop('The key file has no key of the form PRIVATE+KEY+<name>+<key id>+<base64>.');
  return cosignerOf(name, bytes.subarray(1), () => Math.floor(Date.now() / 1000));
}

/**
 * Cosigns the last checkpoint of each ledger, if all input is intact and extends the checkpoints that were cosigned before.
 * The state is on the disk before the first cosignature is printed. Returns the exit code.
 */
export async function cosign(options: VerifyOptions, files: CosignOptions, print: Print): Promise<number> {
  const signer = signerOf((await readSmall(files.key)).toString().trim());
  // A shell may have written the key so that other users can read it.
  if (((await stat(files.key)).mode & 0o077) !== 0)
    await chmod(files.key, 0o600).catch(() =>
      stop(`${files.key}: others can read this key, and only its owner can change that (chmod 600).`),
    );
  const state = await realpath(files.state).catch(ifNone(files.state));
  const lock = `${state}.lock`;
  // Two programs that run at the same time would not know each other's signatures.
  const locked = await open(lock, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    stop(`${lock}: another cosign is running, or one was stopped. If none is, delete this file.`);
  });
  try {
    await locked.close();
    return await cosignLocked(options, { signer, state }, print);
  } finally {
    await rm(lock, { force: true });
  }
}

type Print = (text: string) => void;

function ifNone<T>(value: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === 'ENOENT') return value;
    throw error;
  };
}

/** The states that were cosigned before. Throws a {@link UsageFault} for an unreadable line, which may belong to a signature. */
export function statesIn(text: string, file: string): readonly SeenCheckpoint[] {
  const states = parseSeen(text, file);
  const words = new Map(states.map((one) => [one.line, checkpointWords(one)]));
  const lines = text.split('\n');
  const bad = lines.findIndex((line, index) => line !== (words.get(index + 1) ?? ''));
  if (bad >= 0 || lines.at(-1) !== '')
    stop(`${file}, line ${bad < 0 ? lines.length : bad + 1}: not <origin> <size> <root>. Nothing is signed.`);
  return states;
}

async function cosignLocked(
  options: VerifyOptions,
  { signer, state }: { readonly signer: Signer; readonly state: string },
  print: Print,
): Promise<number> {
  const before = await readSmall(state).catch(ifNone(Buffer.alloc(0)));
  const expected = statesIn(before.toString('latin1'), state);
  const signed: SignedCheckpoint[] = [];
  // If a ledger that was cosigned before is missing, that must be a break.
  const verdict = await verifyEvidence({ ...options, expected }, (part) => {
    for (const ledger of part.ledgers) append(signed, [lastNote(part, ledger, options) ?? []].flat());
  });
  if (verdict.verdict !== 'intact') return printVerdict(verdict, options, print);
  if (signed.length === 0) stop('No ledger has a checkpoint.');
  for (const { origin, size } of signed) {
    const before = expected.find((one) => one.origin === origin && one.size > size);
    if (before === undefined) continue;
    print(`BROKEN. ${ascii(origin)} has a signature of ${size} lines only, and one of ${before.size} was cosigned.\n`);
    return 1;
  }
  const words = signed.map((checkpoint) => `${checkpointWords(checkpoint)}\n`).join('');
  await appendFile(state, words, { mode: 0o600, flush: true });
  print(signed.map((checkpoint) => cosigned(checkpoint, signer)).join('\n'));
  return 0;
}

function cosigned({ note, ...checkpoint }: SignedCheckpoint, signer: Signer): string {
  const own = note.signatures.filter(({ name }) => name === checkpoint.origin);
  return noteOf({ text: note.text, signatures: own }) + signer.sign(note.text);
}
