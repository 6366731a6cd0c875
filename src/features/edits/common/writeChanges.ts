import { type ChangeSet, type FileChange, kindOf } from './changeSet.ts';
import type { Draft } from './draft.ts';
import { type Hunk, withHunk } from './hunks.ts';

type Lines = readonly string[];

/** The files that changes are written to. `Kept` is all that brings a file back as it was. */
export interface Files<Kept> {
  /** The lines of a file, with what is not saved; null where there is none. */
  lines(path: string): Promise<Lines | null>;
  keep(path: string): Promise<Kept | null>;
  /** Differs for any two states of a file; null where there is none. */
  digest(path: string): Promise<string | null>;
  write(path: string, lines: Lines): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  delete(path: string): Promise<void>;
  /** Brings back what was kept; null deletes the file. */
  restore(path: string, kept: Kept | null): Promise<void>;
}

/** What the user accepts: the whole change of a file, or some of its hunks. */
export interface Choice {
  readonly change: FileChange;
  readonly hunks?: readonly Hunk[];
}

interface WrittenFile<Kept> {
  readonly path: string;
  readonly before: Kept | null;
  /** The digest after it was written, and perhaps formatted. */
  readonly after: string | null;
}

/** What an accept wrote, step by step. The files of a step are undone together. */
export interface Accepted<Kept> {
  readonly steps: readonly (readonly WrittenFile<Kept>[])[];
  /** Where it stopped, and why; absent where all of it was written. */
  readonly stopped?: { readonly path: string; readonly reason: unknown };
}

/** The file no longer has the text that the change was made for, or something has the name of a new file. */
export class StaleChange extends Error {
  override readonly name = 'StaleChange';
}

/**
 * Writes what was accepted: texts first, then new names, then deletions, each one only if its change still fits. Stops at
 * the first failure: what was written before stays, and can be undone.
 */
export async function writeChanges<Kept>(
  set: ChangeSet,
  choices: readonly Choice[],
  files: Files<Kept>,
): Promise<Accepted<Kept>> {
  const steps: (readonly WrittenFile<Kept>[])[] = [];
  const digests = (paths: readonly string[]) => Promise.all(paths.map((path) => files.digest(path)));
  for (const { path, change, touched, act } of actsOf(set, choices, files)) {
    try {
      set.check(change, await files.lines(path));
      if (change.state !== 'proposed') throw new StaleChange();
      const kept = await Promise.all(touched.map((each) => files.keep(each)));
      const before = await digests(touched);
      const failure = await act().then(
        () => null,
        (reason: unknown) => ({ reason }),
      );
      // What failed may have been written in part.
      const after = await digests(touched);
      if (failure === null || after.some((digest, at) => digest !== before[at]))
        steps.push(touched.map((each, at) => ({ path: each, before: kept[at] ?? null, after: after[at] ?? null })));
      if (failure !== null) throw failure.reason;
    } catch (reason) {
      return { steps, stopped: { path, reason } };
    }
  }
  return { steps };
}

/** One thing to do to a file, and the paths that it touches. */
interface Act {
  readonly path: string;
  readonly change: FileChange;
  readonly touched: readonly string[];
  readonly act: () => Promise<void>;
}

type Writer = Pick<Files<unknown>, 'write' | 'rename' | 'delete'>;

function actsOf(set: ChangeSet, choices: readonly Choice[], files: Writer): readonly Act[] {
  const passes = [writeText, renameFile, deleteFile];
  return passes.flatMap((pass) => choices.flatMap((choice) => pass(set, choice, files)));
}

function writeText(set: ChangeSet, { change, hunks }: Choice, files: Writer): readonly Act[] {
  const { from, to, draft } = change;
  const path = from ?? to;
  if (path === null || to === null || (from !== null && draft.hunks.length === 0)) return [];
  const isWhole = hunks === undefined || from === null;
  const act = async (): Promise<void> => {
    const chosen = isWhole ? draft.hunks : draft.hunks.filter((hunk) => hunks.includes(hunk));
    // A hunk that was decided meanwhile is none any more.
    if (!isWhole && (chosen.length === 0 || chosen.length < new Set(hunks).size)) throw new StaleChange();
    await files.write(path, isWhole ? draft.proposed : withHunks(draft, chosen));
    // The new name comes after it.
    set.accepted(change, isWhole && kindOf(change) !== 'rename' ? undefined : chosen);
  };
  return [{ path, change, touched: [path], act }];
}

function renameFile(set: ChangeSet, { change, hunks }: Choice, files: Writer): readonly Act[] {
  const { from, to } = change;
  if (from === null || to === null || from === to || hunks !== undefined) return [];
  const act = async (): Promise<void> => {
    await files.rename(from, to);
    set.accepted(change);
  };
  return [{ path: from, change, touched: [from, to], act }];
}

function deleteFile(set: ChangeSet, { change }: Choice, files: Writer): readonly Act[] {
  const { from, to } = change;
  if (from === null || to !== null) return [];
  const act = async (): Promise<void> => {
    await files.delete(from);
    set.accepted(change);
  };
  return [{ path: from, change, touched: [from], act }];
}

/** The original with these hunks, in their order. The last ones go first, so that the others stay where they are. */
function withHunks({ original, proposed }: Draft, hunks: readonly Hunk[]): Lines {
  return hunks.toReversed().reduce((lines, hunk) => withHunk(lines, proposed, hunk), original);
}

/** The files of a step that an undo did not bring back: they were changed since, or could not be written for a reason. */
export interface LeftAlone {
  readonly paths: readonly string[];
  readonly reason?: unknown;
}

/** Brings back the files of an accept, in reverse order: only those that are still as it left them. */
export async function undoChanges<Kept>({ steps }: Accepted<Kept>, files: Files<Kept>): Promise<readonly LeftAlone[]> {
  const left: LeftAlone[] = [];
  for (const step of steps.toReversed()) {
    const paths = step.map(({ path }) => path);
    try {
      const now = await Promise.all(paths.map((path) => files.digest(path)));
      if (step.every(({ after }, at) => after === now[at])) {
        for (const { path, before } of step) await files.restore(path, before);
      } else left.push({ paths });
    } catch (reason) {
      left.push({ paths, reason });
    }
  }
  return left;
}
