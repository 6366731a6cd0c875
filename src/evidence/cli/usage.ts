import { readFile, stat } from 'node:fs/promises';
import { append } from '../../util/append.ts';
import { parseCheckpoint, type SignedCheckpoint } from '../checkpoint.ts';
import { type Policy, PolicyFault, parsePolicy } from '../policy.ts';
import type { Place } from '../verify/findings.ts';
import { parseSeen, type SeenCheckpoint } from '../verify/seen.ts';

/** An error in the command line or in a file that it names: exit code 2. */
export class UsageFault extends Error {}

/** Throws a {@link UsageFault}. */
export function stop(message: string): never {
  throw new UsageFault(message);
}

/** Escapes control characters of a terminal, and characters that are not ASCII. */
export function ascii(text: string): string {
  return text.replace(/[^\x20-\x7e]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
}

/** Reads an auditor's file, which is small: a log that is given by mistake must not be read whole. */
export async function readSmall(path: string): Promise<Buffer> {
  const found = await stat(path);
  if (found.size > 64_000_000 || found.isDirectory()) stop(`${path}: too large, or a folder.`);
  return await readFile(path);
}

export async function readPolicy(path: string | undefined): Promise<Policy | null> {
  if (path === undefined) return null;
  try {
    return parsePolicy(await readSmall(path));
  } catch (error) {
    if (error instanceof PolicyFault) stop(`${path}, ${error.message}.`);
    throw error;
  }
}

export async function readSeen(paths: readonly string[]): Promise<readonly SeenCheckpoint[]> {
  const seen: SeenCheckpoint[] = [];
  for (const path of paths) {
    const found = parseSeen((await readSmall(path)).toString('latin1'), path);
    if (found.length === 0) stop(`${path}: no line ends in "<origin> <size> <root>".`);
    append(seen, found);
  }
  return seen;
}

export async function readCheckpoints(paths: readonly string[]): Promise<readonly (SignedCheckpoint & Place)[]> {
  const checkpoints: (SignedCheckpoint & Place)[] = [];
  for (const file of paths) {
    let line = 2;
    // `cosign` prints one for each ledger, with an empty line between them.
    for (const note of (await readSmall(file)).toString().split(/(?<=\n\u2014.*\n)\n/)) {
      const checkpoint = parseCheckpoint(note) ?? stop(`${file}: not a checkpoint.`);
      checkpoints.push({ ...checkpoint, file, line });
      line += note.split('\n').length;
    }
  }
  return checkpoints;
}
