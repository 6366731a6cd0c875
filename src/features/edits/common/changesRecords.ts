import type { AuditEntryOf } from '../../../send/audit.ts';
import { changedLines } from './changedLines.ts';
import { type FileChange, kindOf } from './changeSet.ts';
import type { Accepted, Choice, LeftAlone } from './writeChanges.ts';

/** Makes the record that is on the disk before the first file is written. `shown` has the changes whose diff was open. */
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
    // The new name is written with the whole change only.
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

/** A file that was written in two steps is left alone if one of them was not undone. */
export function undoneRecord(
  set: string,
  accepted: Accepted<unknown>,
  left: readonly LeftAlone[],
): AuditEntryOf<'changes-undone'> {
  const leftAlone = new Set(left.map(({ paths: [path] }) => path)).size;
  return { kind: 'changes-undone', set, files: filesIn(accepted).size - leftAlone, leftAlone };
}

/** The files that an accept wrote, by their former path, or by the path of a new file. Each step of a file begins with it. */
function filesIn({ steps }: Accepted<unknown>): ReadonlySet<string | undefined> {
  return new Set(steps.map(([first]) => first?.path));
}
