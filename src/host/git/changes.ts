import type { FileVersion } from '../../gate/diffHeader.ts';
import type { StatusEntry } from './status.ts';

/**
 * `staged`: what the next commit would hold. `all`: all that differs from the last commit, in files git knows.
 * `with-untracked`: also in those that it does not know yet.
 */
export type ChangeKind = 'staged' | 'all' | 'with-untracked';

/** One version of a changed file. */
export interface Version extends FileVersion {
  /** Its object in git; null for the file as it is in the working tree. */
  readonly oid: string | null;
}

/** What became of a file. At least one of both is there. */
export interface Change {
  /** null for a new file. */
  readonly before: Version | null;
  /** null for a deleted one. */
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

/** Its names, of a moved file both. */
export function namesOf({ before, after }: Pick<Change, 'before' | 'after'>): readonly string[] {
  return [...new Set([before, after].flatMap((version) => version?.path ?? []))];
}

/** What has no text of its own: a submodule is a commit elsewhere, a link the name of another file. */
export function specialKind({ before, after }: Pick<Change, 'before' | 'after'>): 'submodule' | 'link' | null {
  const modes = [before?.mode, after?.mode];
  if (modes.includes('160000')) return 'submodule';
  return modes.includes('120000') ? 'link' : null;
}
