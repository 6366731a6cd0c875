// Checkpoints: https://c2sp.org/tlog-checkpoint, without extension lines.
import { hashFromBase64 } from './base64.ts';
import { jsonObject } from './jsonObject.ts';
import { isCanonical, isOrigin, lineOf } from './line.ts';
import { parseNote, type SignedNote, type Signer } from './note.ts';

export interface Checkpoint {
  readonly origin: string;
  /** The number of leaves. */
  readonly size: number;
  /** The root hash, 32 bytes. */
  readonly root: Buffer;
}

/** A checkpoint with its signatures, none of which is verified yet. */
export interface SignedCheckpoint extends Checkpoint {
  readonly note: SignedNote;
}

/** The text of a checkpoint that is signed. */
export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${root.toString('base64')}\n`;
}

/** The signed note of a checkpoint. */
export function signCheckpoint(checkpoint: Checkpoint, signer: Signer): string {
  const text = checkpointText(checkpoint);
  return `${text}\n${signer.sign(text)}`;
}

/** Parses a checkpoint. Returns null if this is not a signed note, or if its text is not exactly a checkpoint. */
export function parseCheckpoint(text: string): SignedCheckpoint | null {
  const note = parseNote(text);
  const [origin = '', size = '', root = ''] = note?.text.split('\n') ?? [];
  const hash = hashFromBase64(root);
  if (note === null || hash === null || origin === '' || !/^(0|[1-9]\d{0,14})$/.test(size)) return null;
  const checkpoint = { origin, size: Number(size), root: hash };
  return checkpointText(checkpoint) === note.text ? { ...checkpoint, note } : null;
}

/** The line of a ledger's file that holds a checkpoint; it is not a leaf of the tree. Returns null if it is too long. */
export function checkpointLine(origin: string, note: string): string | null {
  return lineOf({ v: 2, ledger: origin, kind: 'checkpoint', note });
}

/** Returns the origin and the note of a line that is exactly a checkpoint line, or null. */
export function parseCheckpointLine(line: string): { readonly ledger: string; readonly note: string } | null {
  const { ledger, note } = jsonObject(line) ?? {};
  if (typeof ledger !== 'string' || typeof note !== 'string' || !isOrigin(ledger)) return null;
  return isCanonical(line, { v: 2, ledger, kind: 'checkpoint', note }) ? { ledger, note } : null;
}

/** `<origin> <size> <root>`: a checkpoint as text that anyone can keep. `--seen` reads it at the end of a line. */
export function checkpointWords({ origin, size, root }: Checkpoint): string {
  return `${origin} ${size} ${root.toString('base64')}`;
}
