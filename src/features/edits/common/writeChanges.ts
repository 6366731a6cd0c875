import { type ChangeSet, type FileChange, kindOf } from './changeSet.ts';
import { type Hunk, withHunks } from './hunks.ts';

type Lines = readonly string[];

/** The files that changes are written to. `Kept` has all that is needed to restore a file. */
export interface Files<Kept> {
  /** Returns the lines of a file with its unsaved changes, or null if there is no file. */
  lines(path: string): Promise<Lines | null>;
  keep(path: string): Promise<Kept | null>;
  /** Returns a value that differs for any two states of a file, or null if there is no file. */
  digest(path: string): Promise<string | null>;
  /**
   * Returns a function that tells whether the file is still in the state of this call. It is quicker than two digests, and may be
   * false for the same state.
   */
  watch(path: string): Promise<() => Promise<boolean>>;
  /** Rejects if the file does not have the lines `before`, or if there is a file although `before` is null. */
  write(path: string, lines: Lines, before: Lines | null): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  delete(path: string): Promise<void>;
  /** Restores a file, or deletes it if `kept` is null. */
  restore(path: string, kept: Kept | null): Promise<void>;
  /** Resolves when open documents show the restored files. */
  settle(): Promise<void>;
}

/** The whole change of a file, or the hunks of it, that the user accepts. */
export interface Choice {
  readonly change: FileChange;
  readonly hunks?: readonly Hunk[];
  /** The proposed text that the user has accepted as a whole: another text is not written. */
  readonly proposed?: Lines;
}

interface WrittenFile<Kept> {
  readonly path: string;
  readonly before: Kept | null;
  /** The digest after it was written, and perhaps formatted. */
  readonly after: string | null;
}

/** The files that an accept wrote, step by step. The files of a step are undone together. */
export interface Accepted<Kept> {
  readonly steps: readonly (readonly WrittenFile<Kept>[])[];
  /** The file at which it stopped, and the reason; undefined if everything was written. */
  readonly stopped?: { readonly path: string; readonly reason: unknown };
}

/** The file no longer has the text that the change was made for, or something has the name of a new file. */
export class StaleChange extends Error {
  override readonly name = 'StaleChange';
}

/**
 * Writes accepted changes: texts first, then new names, then deletions, each only if its change still fits. Stops at the first
 * failure: the files that were written before stay, and can be undone.
 */
export async function writeChanges<Kept>(
  set: ChangeSet,
  choices: readonly Choice[],
  files: Files<Kept>,
): Promise<Accepted<Kept>> {
  const steps: Promise<readonly WrittenFile<Kept>[]>[] = [];
  const acts = actsOf(set, choices, files);
  let ahead: Promise<FoundFiles<Kept>> | undefined;
  for (const [at, one] of acts.entries()) {
    const { path, change, touched, act, isText } = one;
    // The same file may get its text first, and then its name.
    if (!isText) await Promise.all(steps);
    try {
      const early = await ahead;
      const isCurrent = early !== undefined && (await early.isCurrent());
      const { kept, before, lines } = isCurrent ? early : await find(files, one);
      set.check(change, lines);
      if (change.state !== 'proposed') throw new StaleChange();
      // Texts are of different files, so the next file is read while this one is written.
      const next = acts[at + 1];
      ahead = next?.isText === true ? find(files, next) : undefined;
      ahead?.catch(() => undefined);
      const failure = await act().then(
        () => null,
        (reason: unknown) => ({ reason }),
      );
      const step = written(files, touched, kept);
      // A step that failed may have written some of its files.
      const hasWritten = failure === null || (await step).some(({ after }, index) => after !== before[index]);
      if (hasWritten) steps.push(step);
      if (failure !== null) throw failure.reason;
    } catch (reason) {
      return { steps: await Promise.all(steps), stopped: { path, reason } };
    }
  }
  return { steps: await Promise.all(steps) };
}

/** The state of an operation's files before it. */
interface FoundFiles<Kept> {
  readonly kept: readonly (Kept | null)[];
  /** The digests. */
  readonly before: readonly (string | null)[];
  /** The lines of the file that its change is about. */
  readonly lines: Lines | null;
  /** Whether the files are still as they were before all this was read. */
  readonly isCurrent: () => Promise<boolean>;
}

async function find<Kept>(files: Files<Kept>, { path, touched }: Act): Promise<FoundFiles<Kept>> {
  const watched = await Promise.all(touched.map((each) => files.watch(each)));
  const isCurrent = async (): Promise<boolean> => (await Promise.all(watched.map((is) => is()))).every(Boolean);
  const [kept, before] = await Promise.all([
    Promise.all(touched.map((each) => files.keep(each))),
    Promise.all(touched.map((each) => files.digest(each))),
  ]);
  // After the file was kept: what changes in between makes the change stale, and is not restored later.
  return { kept, before, lines: await files.lines(path), isCurrent };
}

/** Returns the state of an operation's files after it. A state that cannot be read is no state that an undo would restore. */
async function written<Kept>(
  files: Files<Kept>,
  touched: readonly string[],
  kept: readonly (Kept | null)[],
): Promise<readonly WrittenFile<Kept>[]> {
  const after = await Promise.all(touched.map((each) => files.digest(each))).catch(() => touched.map(() => null));
  return touched.map((path, at) => ({ path, before: kept[at] ?? null, after: after[at] ?? null }));
}

/** One operation on a file, and the paths that it touches. */
interface Act {
  readonly path: string;
  readonly change: FileChange;
  readonly touched: readonly string[];
  /** Whether it writes text. No two such operations are for the same file. */
  readonly isText: boolean;
  readonly act: () => Promise<void>;
}

type Writer = Pick<Files<unknown>, 'lines' | 'write' | 'rename' | 'delete'>;

function actsOf(set: ChangeSet, choices: readonly Choice[], files: Writer): readonly Act[] {
  const passes = [writeText, renameFile, deleteFile];
  return passes.flatMap((pass) => choices.flatMap((choice) => pass(set, choice, files)));
}

function writeText(set: ChangeSet, { change, hunks, proposed }: Choice, files: Writer): readonly Act[] {
  const { from, to, draft } = change;
  const path = from ?? to;
  if (path === null || to === null || (from !== null && draft.hunks.length === 0)) return [];
  const isWhole = hunks === undefined || from === null;
  const act = async (): Promise<void> => {
    if (proposed !== undefined && proposed !== draft.proposed) throw new StaleChange();
    const chosen = isWhole ? draft.hunks : draft.hunks.filter((hunk) => hunks.includes(hunk));
    // A hunk that was decided in the meantime is no longer open.
    if (!isWhole && (chosen.length === 0 || chosen.length < new Set(hunks).size)) throw new StaleChange();
    const lines = isWhole ? draft.proposed : withHunks(draft.original, draft.proposed, chosen);
    await files.write(path, lines, from === null ? null : draft.original);
    // The new name is written later.
    set.accepted(change, isWhole && kindOf(change) !== 'rename' ? undefined : chosen);
    const now = change.state === 'proposed' ? await files.lines(path) : null;
    if (now !== null) set.wrote(change, now);
  };
  return [{ path, change, touched: [path], isText: true, act }];
}

function renameFile(set: ChangeSet, { change, hunks }: Choice, files: Writer): readonly Act[] {
  const { from, to } = change;
  if (from === null || to === null || from === to || hunks !== undefined) return [];
  const act = async (): Promise<void> => {
    await files.rename(from, to);
    set.accepted(change);
  };
  return [{ path: from, change, touched: [from, to], isText: false, act }];
}

function deleteFile(set: ChangeSet, { change }: Choice, files: Writer): readonly Act[] {
  const { from, to } = change;
  if (from === null || to !== null) return [];
  const act = async (): Promise<void> => {
    await files.delete(from);
    set.accepted(change);
  };
  return [{ path: from, change, touched: [from], isText: false, act }];
}

/** The files of a step that an undo did not restore, because they have changed since, or for the reason that is given. */
export interface LeftAlone {
  readonly paths: readonly string[];
  readonly reason?: unknown;
}

/** Restores the files of an accept in reverse order, but only files that have not changed since. */
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
      left.push(reason instanceof StaleChange ? { paths } : { paths, reason });
    }
  }
  await files.settle();
  return left;
}
