import type { AuditEntryOf } from '../../../send/audit.ts';
import { changedLines } from './changedLines.ts';
import { type FileChange, kindOf } from './changeSet.ts';
import type { Accepted, Choice, LeftAlone } from './writeChanges.ts';

/** Makes the record that must be on the disk before the first file is written. `shown` contains the changes whose diff was opened. */
export function acceptRecord(
  set: string,
  choices: readonly Choice[],
  shown: ReadonlySet<FileChange>,
): AuditEntryOf<'changes-accept'> {
  const countOf = (isCounted: (choice: Choice) => boolean): number => choices.filter(isCounted).length;
  const lines = choices.map(changedLines);
  return {
    kind: 'changes-accept',
    set,
    files: choices.length,
    shown: countOf(({ change }) => shown.has(change)),
    created: countOf(({ change }) => kindOf(change) === 'create'),
    deleted: countOf(({ change }) => kindOf(change) === 'delete'),
    // A file is renamed only if its whole change is accepted.
    renamed: countOf(({ change, hunks }) => kindOf(change) === 'rename' && hunks === undefined),
    added: lines.reduce((sum, { added }) => sum + added, 0),
    removed: lines.reduce((sum, { removed }) => sum + removed, 0),
  };
}

export function writtenRecord(set: string, accepted: Accepted<unknown>): AuditEntryOf<'changes-written'> {
  const files = filesIn(accepted).size;
  const outcome = accepted.stopped === undefined ? 'complete' : files > 0 ? 'partly' : 'failed';
  return { kind: 'changes-written', set, files, outcome };
}

export function rejectedRecord(set: string, files: number): AuditEntryOf<'changes-rejected'> {
  return { kind: 'changes-rejected', set, files };
}

/**
 * Makes the record of an undo. A file that was written in two steps, such as a rename and a text, is recorded as left alone if
 * one of them was not undone.
 */
export function undoneRecord(
  set: string,
  accepted: Accepted<unknown>,
  left: readonly LeftAlone[],
): AuditEntryOf<'changes-undone'> {
  const leftAlone = new Set(left.map(({ paths: [path] }) => path)).size;
  return { kind: 'changes-undone', set, files: filesIn(accepted).size - leftAlone, leftAlone };
}

/** The files that an accept wrote: each by its earlier path or, if it is new, by its path. All steps of a file begin with this path. */
function filesIn({ steps }: Accepted<unknown>): ReadonlySet<string | undefined> {
  return new Set(steps.map(([first]) => first?.path));
}
