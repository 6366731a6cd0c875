import { setImmediate as otherWork } from 'node:timers/promises';
import { parseCheckpoint, parseCheckpointLine } from '../../../evidence/checkpoint.ts';
import type { Follows, Head, Opened, Removed } from '../../../evidence/ledgerRecords.ts';
import { type Frame, firstPrev, frameOf, leafOf } from '../../../evidence/line.ts';
import { checkNote, parseVkey } from '../../../evidence/note.ts';
import { GrowingTree } from '../../../evidence/tree.ts';
import { ifTooLarge, maxLedgerBytes } from '../auditRead.ts';
import { eachLine } from '../fileLines.ts';

/** The size of a ledger, and its root. */
export interface LedgerPlace {
  readonly size: number;
  /** The root hash, 32 bytes. */
  readonly root: Buffer;
}

/** The last head of a session, and the time at which it was written. */
export interface SignedHead extends Pick<Head, 'size' | 'root'> {
  /** The time in ISO 8601, in UTC with milliseconds. */
  readonly time: string;
}

/** A line of the ledger's file, without its line ending. */
interface Found {
  readonly line: Buffer;
  /** The offset in the file after the line ending. */
  readonly end: number;
}

/** A window's knowledge of a ledger's file: its content up to an offset, with only lines that are vouched for. */
export class LedgerState {
  readonly origin: string;
  /** The offset in bytes up to which the file is known. */
  offset = 0;
  /** The size of the file in bytes. The part after the offset is not vouched for. */
  fileSize = 0;
  tree = new GrowingTree();
  prev = firstPrev;
  /** The last head of each session. */
  readonly heads = new Map<string, SignedHead>();
  readonly removed = new Set<string>();
  /** The ledger before this one. */
  follows: Follows | null = null;
  /** The time of the first line; empty if there is none. */
  openedAt = '';
  isClosed = false;
  /** The last checkpoint; signedSize is its size. */
  note = '';
  signedSize = 0;

  constructor(origin: string) {
    this.origin = origin;
  }

  place(): LedgerPlace {
    return { size: this.tree.size, root: this.tree.root() };
  }

  /** Returns the frame of a line if it is the next one of this ledger, or null. */
  next(line: Buffer): Frame | null {
    const frame = frameOf(line);
    return frame?.name === this.origin && frame.seq === this.tree.size + 1 && frame.prev === this.prev ? frame : null;
  }

  /** Adds a content line. */
  add(line: Buffer, { time, kind }: Frame): void {
    const leaf = leafOf(line);
    this.tree.push(leaf);
    this.prev = leaf.toString('hex');
    if (this.openedAt === '') this.openedAt = time;
    if (kind === 'closed') this.isClosed = true;
    const record = recordIn(line, kind);
    if (record?.kind === 'head') this.heads.set(record.session, { size: record.size, root: record.root, time });
    else if (record?.kind === 'removed') this.removed.add(record.session);
    else if (record?.kind === 'opened') this.follows = record.follows ?? null;
  }

  /** Adds a content line that this window has written. */
  take(line: Buffer): void {
    const frame = this.next(line);
    if (frame !== null) this.add(line, frame);
  }

  /** Call this when everything up to here is on the disk. */
  reach(offset: number): void {
    this.offset = offset;
    this.fileSize = offset;
  }

  /** Call this when this window has written this checkpoint as the last line. */
  sign(note: string, offset: number): void {
    this.note = note;
    this.signedSize = this.tree.size;
    this.reach(offset);
  }
}

type UsedRecord = Opened | Head | Removed;
const kinds: readonly string[] = ['opened', 'head', 'removed'] satisfies readonly UsedRecord['kind'][];

/**
 * Parses a line. Its record is used only if its leaf is covered by an anchor or by one of our signatures. So its exact form is
 * not checked, which would take most of the time of a first turn.
 */
function recordIn(line: Buffer, kind: string): UsedRecord | null {
  if (!kinds.includes(kind)) return null;
  try {
    return JSON.parse(line.toString('latin1')) as UsedRecord;
  } catch {
    return null;
  }
}

/** The maximum size in bytes of lines beyond the anchor: more than other windows can sign before it is visible here. */
const maxBeyond = 16 * 1024 * 1024;

/**
 * Reads the lines that other windows have added, in slices. Lines that the anchor or a signature of our key vouches for are
 * added to the state. Returns `rolled-back` if the file does not contain what the anchor covers, or is too large to be ours.
 * The lines after the state's offset are from a window that was killed before it signed, or from another program. Throws the
 * file system's errors, except for a missing file.
 */
export async function readOn(
  state: LedgerState,
  path: string,
  vkey: string,
  anchor: LedgerPlace | null,
): Promise<'read' | 'rolled-back'> {
  const isAhead = anchor !== null && anchor.size >= state.tree.size;
  const known = isAhead ? anchor : state.place();
  const isKnown = (): boolean => state.tree.size < known.size || state.tree.root().equals(known.root);
  let isRolledBack = !isKnown();
  let lastNote: Buffer | undefined;
  const beyond: Found[] = [];
  const take = (line: Buffer, end: number): boolean => {
    if (state.tree.size === known.size) {
      beyond.push({ line, end });
      isRolledBack ||= end - state.offset > maxBeyond;
      return !isRolledBack;
    }
    const frame = state.next(line);
    // A line that does not follow the previous one leads to another root, or is missing.
    if (frame === null) {
      lastNote = line;
    } else {
      state.add(line, frame);
      isRolledBack ||= !isKnown();
    }
    state.offset = end;
    return true;
  };
  const size = await eachLine(path, take, { from: state.offset, maxBytes: maxLedgerBytes }).catch(ifTooLarge);
  if (size === null) return 'rolled-back';
  state.fileSize = size;
  if (isRolledBack || size < state.offset || state.tree.size < known.size) return 'rolled-back';
  if (lastNote !== undefined) takeCheckpoint(state, lastNote, false);
  await takeSigned(state, beyond, vkey);
  return 'read';
}

/** Adds the lines up to the last checkpoint that our key has signed. */
async function takeSigned(state: LedgerState, beyond: readonly Found[], vkey: string): Promise<void> {
  const signed = await lastSigned(state, beyond, vkey);
  for (const { line, end } of beyond.slice(0, signed + 1)) {
    const frame = state.next(line);
    if (frame === null) takeCheckpoint(state, line, true);
    else state.add(line, frame);
    state.offset = end;
  }
}

/** Returns the index of the last checkpoint that matches the lines before it and has a valid signature, or -1. */
async function lastSigned(state: LedgerState, beyond: readonly Found[], vkey: string): Promise<number> {
  const key = parseVkey(vkey);
  const ahead = new LedgerState(state.origin);
  ahead.tree = state.tree.copy();
  ahead.prev = state.prev;
  const fitting: number[] = [];
  for (const [index, { line }] of beyond.entries()) {
    if (index % 200 === 199) await otherWork();
    const frame = ahead.next(line);
    if (frame !== null) ahead.add(line, frame);
    else if (checkpointIn(line, ahead) !== null) fitting.push(index);
  }
  if (key === null) return -1;
  return (
    fitting.findLast((index) => {
      const note = checkpointIn(beyond[index]?.line ?? Buffer.alloc(0))?.note;
      return note !== undefined && checkNote(note, key) === 'valid';
    }) ?? -1
  );
}

/** Returns the checkpoint of a line, or null. With `at`, it must belong to that ledger and match its tree. */
function checkpointIn(line: Buffer, at?: LedgerState) {
  const parsed = parseCheckpointLine(line.toString('latin1'));
  const checkpoint = parsed === null ? null : parseCheckpoint(parsed.note);
  if (checkpoint === null || (at !== undefined && checkpoint.origin !== at.origin)) return null;
  if (at !== undefined && (checkpoint.size !== at.tree.size || !checkpoint.root.equals(at.tree.root()))) return null;
  return checkpoint;
}

/** Stores the checkpoint of a line. With `isLast`, it must match the whole tree. */
function takeCheckpoint(state: LedgerState, line: Buffer, isLast: boolean): void {
  const parsed = parseCheckpointLine(line.toString('latin1'));
  const checkpoint = checkpointIn(line, isLast ? state : undefined);
  if (parsed === null || checkpoint === null) return;
  state.note = parsed.note;
  state.signedSize = checkpoint.size;
}
