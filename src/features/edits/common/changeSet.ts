import { foldCase } from '../../../util/foldCase.ts';
import { Draft } from './draft.ts';
import type { Hunk } from './hunks.ts';

type Lines = readonly string[];

/** The change that is proposed for one file. */
export interface FileChange {
  /** The present path, or null for a new file. */
  readonly from: string | null;
  /** The path after the change, or null for a deleted file. */
  readonly to: string | null;
  /** The text that the change was proposed for, and the proposed text. */
  readonly draft: Draft;
  readonly state: ChangeState;
  /** The number of accepted hunks. */
  readonly accepted: number;
  readonly rejected: readonly RejectedHunk[];
}

/** A hunk that was rejected: its lines in the text that the file had then. */
export interface RejectedHunk extends Pick<Hunk, 'start' | 'end'> {
  readonly lines: Lines;
}

/** A stale change was made for a text that the file no longer has. */
export type ChangeState = 'proposed' | 'stale' | 'accepted' | 'rejected';

export type ChangeKind = 'edit' | 'create' | 'delete' | 'rename';

export function kindOf({ from, to }: Pick<FileChange, 'from' | 'to'>): ChangeKind {
  if (from === null) return 'create';
  if (to === null) return 'delete';
  return from === to ? 'edit' : 'rename';
}

/** The reason why a change is not proposed. */
export type ChangeRefusal =
  /** There is no file at the path. */
  | 'not-there'
  /** The file is proposed to be deleted, or to have another name. */
  | 'deleted'
  | 'renamed'
  /** A file or folder has the new name, or will have it. */
  | 'taken'
  | 'stale'
  | 'too-many-files'
  | 'file-too-long'
  | 'set-too-long';

export const changeLimits = { files: 50, fileBytes: 512 * 1024, setBytes: 2 * 1024 * 1024 } as const;

type Change = { -readonly [K in keyof FileChange]: FileChange[K] };

/**
 * The changes that a model proposes for files, in memory. A file has at most one open change, which has all that was proposed
 * for the file. A refusal changes nothing. The file system decides whether two paths are the same file: some ignore case.
 */
export class ChangeSet {
  readonly #changes: Change[] = [];
  readonly #keyOf: (path: string) => string;

  constructor({ ignoresCase }: { readonly ignoresCase: boolean }) {
    // A file system that ignores case may also treat an umlaut of two characters like one of a single character.
    this.#keyOf = ignoresCase ? (path) => foldCase(path.normalize('NFC')) : (path) => path;
  }

  /** In the order in which they were first proposed. */
  get changes(): readonly FileChange[] {
    return this.#changes;
  }

  /** Returns the open change of the file that is at this path, or will be. */
  openAt(path: string): FileChange | undefined {
    return this.#openAt(path);
  }

  /** Returns the proposed lines at a path, or null if no file will be there, or undefined if the file is unchanged. */
  linesAt(path: string): Lines | null | undefined {
    const change = this.#openAt(path);
    if (change === undefined) return undefined;
    return this.#isAt(change.to, path) ? change.draft.proposed : null;
  }

  /** Adds the change of a file whose text is still arriving, or is known. `from` is null for a new file. */
  begin(from: string | null, to: string, draft: Draft): FileChange {
    const change: Change = { from, to, draft, state: 'proposed', accepted: 0, rejected: [] };
    this.#changes.push(change);
    return change;
  }

  /** Proposes a text. `current` has the lines of the file under its present name, or is null if there is no file. */
  write(path: string, proposed: Lines, current: Lines | null): ChangeRefusal | null {
    const change = this.#changeOf(path, current);
    if (typeof change === 'string') return change;
    if (change === undefined && current === null && this.#isTaken(path)) return 'taken';
    const refusal = (change === undefined ? this.#whyTooMany() : null) ?? this.#whyTooLong(change, proposed);
    if (refusal !== null) return refusal;
    const written = change ?? this.#add(current === null ? null : path, path, current ?? ['']);
    written.draft.complete(proposed);
    this.#dropEmpty(written);
    return null;
  }

  /** Proposes to delete a file, and drops the text that was proposed for it. */
  delete(path: string, current: Lines | null): ChangeRefusal | null {
    const change = this.#changeOf(path, current);
    if (typeof change === 'string') return change;
    if (change === undefined && current === null) return 'not-there';
    const refusal = change === undefined ? this.#whyTooMany() : null;
    if (refusal !== null) return refusal;
    const deleted = change ?? this.#add(path, path, current ?? []);
    deleted.draft.complete(deleted.draft.original);
    deleted.to = null;
    this.#dropEmpty(deleted);
    return null;
  }

  /** Proposes another name. The proposed text stays. `isTaken` is true if a file or folder has this name. */
  rename(path: string, to: string, current: Lines | null, isTaken: boolean): ChangeRefusal | null {
    const change = this.#changeOf(path, current);
    if (typeof change === 'string') return change;
    if (change === undefined && current === null) return 'not-there';
    const isBack = change !== undefined && this.#isAt(change.from, to) && !this.#isAt(change.to, to);
    if (!isBack && (isTaken || this.#isTaken(to) || this.#isInside(to, path))) return 'taken';
    const refusal = change === undefined ? this.#whyTooMany() : null;
    if (refusal !== null) return refusal;
    const renamed = change ?? this.#add(path, path, current ?? []);
    renamed.to = isBack ? renamed.from : to;
    this.#dropEmpty(renamed);
    return null;
  }

  /** Records whether a change still fits. `current` has the lines under its present name; of a new file, under its new name. */
  check(of: FileChange, current: Lines | null): void {
    const change = this.#own(of);
    if (isOpen(change)) change.state = fits(change, current) ? 'proposed' : 'stale';
  }

  /** Records that the whole change was written, or some of its hunks. */
  accepted(of: FileChange, hunks?: readonly Hunk[]): void {
    const change = this.#own(of);
    if (hunks === undefined) {
      change.accepted += change.draft.hunks.length;
      change.draft.acceptAll();
      change.state = 'accepted';
      return;
    }
    this.#accept(change, hunks);
    this.#endIfDecided(change);
  }

  #accept(change: Change, hunks: readonly Hunk[]): void {
    const chosen = fromTheEnd(change, hunks);
    change.accepted += chosen.length;
    if (chosen.length === change.draft.hunks.length) change.draft.acceptAll();
    else for (const hunk of chosen) change.draft.accept(hunk);
  }

  /** Records that the change was rejected, or some of its hunks. Hunks that were accepted before stay. */
  rejected(of: FileChange, hunks?: readonly Hunk[]): void {
    const change = this.#own(of);
    if (hunks === undefined) {
      this.#noteRejected(change, change.draft.hunks);
      change.draft.rejectAll();
      change.state = 'rejected';
      return;
    }
    for (const hunk of fromTheEnd(change, hunks)) {
      this.#noteRejected(change, [hunk]);
      change.draft.reject(hunk);
    }
    this.#endIfDecided(change);
  }

  #noteRejected(change: Change, hunks: readonly Hunk[]): void {
    const { original: lines } = change.draft;
    change.rejected = [...change.rejected, ...hunks.map(({ start, end }) => ({ lines, start, end }))];
  }

  /**
   * Records the lines that the file of an open change has after a part of the change was written: it may have been formatted. The
   * rest is carried over to them.
   */
  wrote(of: FileChange, lines: Lines): void {
    const change = this.#own(of);
    if (isOpen(change)) change.state = change.draft.settle(lines) ? 'proposed' : 'stale';
  }

  /**
   * Carries a change over to the lines that its file has now. Returns false, and changes nothing, if not each of its hunks has exactly
   * one place in them.
   */
  carryOver(of: FileChange, current: Lines | null): boolean {
    const change = this.#own(of);
    this.check(change, current);
    if (change.state === 'stale' && current !== null && canCarryOver(change) && change.draft.settle(current))
      change.state = 'proposed';
    return change.state === 'proposed';
  }

  /** Ends an edit or a new file with its last hunk. A new name is still open then. */
  #endIfDecided(change: Change): void {
    if (change.draft.hunks.length > 0 || kindOf(change) === 'rename') return;
    change.state = change.accepted > 0 ? 'accepted' : 'rejected';
  }

  /** Returns the open change of the file at a path, undefined if it has none, or the reason why it cannot be changed. */
  #changeOf(path: string, current: Lines | null): Change | undefined | ChangeRefusal {
    const change = this.#openAt(path);
    if (change === undefined) return undefined;
    if (change.to === null) return 'deleted';
    if (!this.#isAt(change.to, path)) return 'renamed';
    this.check(change, current);
    return change.state === 'stale' ? 'stale' : change;
  }

  #openAt(path: string): Change | undefined {
    return this.#changes.find(
      (change) => isOpen(change) && (this.#isAt(change.to, path) || this.#isAt(change.from, path)),
    );
  }

  #isAt(own: string | null, path: string): boolean {
    return own !== null && this.#keyOf(own) === this.#keyOf(path);
  }

  #add(from: string | null, to: string, lines: Lines): Change {
    return this.begin(from, to, new Draft(lines.join('\n'), []));
  }

  /** Removes a change that changes nothing any more. A change with decided hunks stays. */
  #dropEmpty(change: Change): void {
    if (change.from === null ? change.to !== null : change.from !== change.to || !change.draft.isUnchanged) return;
    if (change.accepted + change.rejected.length > 0) this.#endIfDecided(change);
    else this.#changes.splice(this.#changes.indexOf(change), 1);
  }

  #whyTooMany(): ChangeRefusal | null {
    return this.#changes.filter(isOpen).length >= changeLimits.files ? 'too-many-files' : null;
  }

  /** Whether an open change has this name for its file, or has a file where the other needs a folder. */
  #isTaken(path: string): boolean {
    const paths = this.#changes.filter(isOpen).flatMap(({ from, to }) => [from, to].filter((each) => each !== null));
    return paths.some((each) => this.#isAt(each, path) || this.#isInside(path, each) || this.#isInside(each, path));
  }

  #isInside(path: string, folder: string): boolean {
    return this.#keyOf(path).startsWith(`${this.#keyOf(folder)}/`);
  }

  #whyTooLong(change: Change | undefined, proposed: Lines): ChangeRefusal | null {
    const bytes = bytesOf(proposed);
    if (bytes > changeLimits.fileBytes) return 'file-too-long';
    const others = this.#changes.filter((other) => other !== change && isOpen(other) && !other.draft.isUnchanged);
    const sum = others.reduce((all, { draft }) => all + bytesOf(draft.proposed), bytes);
    return sum > changeLimits.setBytes ? 'set-too-long' : null;
  }

  #own(of: FileChange): Change {
    const own = this.#changes.find((change) => change === of);
    if (own === undefined) throw new Error('The change is not in this set.');
    return own;
  }
}

/** Whether a change that no longer fits may be carried over: a new file and a deletion have no place in a text. */
export function canCarryOver(change: FileChange): boolean {
  const kind = kindOf(change);
  return change.state === 'stale' && (kind === 'edit' || kind === 'rename');
}

/** Whether a change waits for a decision. */
export function isOpen({ state }: FileChange): boolean {
  return state === 'proposed' || state === 'stale';
}

/** Returns the given hunks of a change that are open, the last first, so that the positions of the others stay valid. */
function fromTheEnd({ draft }: FileChange, hunks: readonly Hunk[]): readonly Hunk[] {
  return draft.hunks.filter((hunk) => hunks.includes(hunk)).toReversed();
}

/** Whether the file has the text that a change was made for. A new file must not exist yet. */
function fits({ from, draft }: FileChange, current: Lines | null): boolean {
  return from === null ? current === null : current !== null && draft.fits(current.join('\n'));
}

function bytesOf(lines: Lines): number {
  return new TextEncoder().encode(lines.join('\n')).length;
}
