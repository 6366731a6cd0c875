import type { FileVersion } from '../../gate/diffHeader.ts';
import type { StatusEntry } from './status.ts';

/**
 * The changes to list. `staged`: the changes that the next commit would contain. `all`: all tracked files that differ from
 * the last commit. `with-untracked`: untracked files as well.
 */
export type ChangeKind = 'staged' | 'all' | 'with-untracked';

/** One version of a changed file. */
export interface Version extends FileVersion {
  /** The git object ID; null for the file in the working tree. */
  readonly oid: string | null;
}

/** A change of a file. At least one of `before` and `after` is set. */
export interface Change {
  /** The old version; null for a new file. */
  readonly before: Version | null;
  /** The new version; null for a deleted file. */
  readonly after: Version | null;
  readonly isConflict: boolean;
  readonly isUntracked: boolean;
}

export function changesIn(entries: readonly StatusEntry[], kind: ChangeKind): readonly Change[] {
  return entries.flatMap((entry) => {
    const { path, from, head, index, work, isStaged, isConflict, isUntracked } = entry;
    if (kind === 'staged' ? !isStaged : isUntracked && kind === 'all') return [];
    const before = head === null ? null : { path: from ?? path, ...head };
    const inIndex = index === null ? null : { path, ...index };
    const inTree = work === null ? null : { path, mode: work, oid: null };
    const after = kind === 'staged' && !isConflict ? inIndex : inTree;
    return before === null && after === null ? [] : [{ before, after, isConflict, isUntracked }];
  });
}

/** Returns the paths of a change: both the old and the new path for a moved file. */
export function namesOf({ before, after }: Pick<Change, 'before' | 'after'>): readonly string[] {
  return [...new Set([before, after].flatMap((version) => version?.path ?? []))];
}

/**
 * Returns the kind of a change without text: a submodule refers to a commit of another repository, a link contains a path.
 * Returns null for a change of text.
 */
export function specialKind({ before, after }: Pick<Change, 'before' | 'after'>): 'submodule' | 'link' | null {
  const modes = [before?.mode, after?.mode];
  if (modes.includes('160000')) return 'submodule';
  return modes.includes('120000') ? 'link' : null;
}
