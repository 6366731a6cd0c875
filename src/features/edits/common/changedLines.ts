import { isBinary } from './binaryFile.ts';
import type { Choice } from './writeChanges.ts';

export interface ChangedLines {
  readonly added: number;
  readonly removed: number;
}

/** Counts the lines that writing a change, or some of its hunks, adds to its file and removes from it. */
export function changedLines({ change, hunks }: Choice): ChangedLines {
  const { from, to, draft } = change;
  if (from === null) return { added: lineCount(draft.proposed), removed: 0 };
  if (to === null) return { added: 0, removed: lineCount(draft.original) };
  let added = 0;
  let removed = 0;
  for (const hunk of draft.hunks) {
    if (hunks?.includes(hunk) === false) continue;
    added += hunk.proposedEnd - hunk.proposedStart;
    removed += hunk.end - hunk.start;
  }
  return { added, removed };
}

/** The number of lines of a file, without the empty one after its last line break. A file that is no text has none. */
export function lineCount(lines: readonly string[]): number {
  if (isBinary(lines)) return 0;
  return lines.at(-1) === '' ? lines.length - 1 : lines.length;
}
