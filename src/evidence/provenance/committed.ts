import { lineKeyOf } from './lineKeys.ts';
import { type AddedLines, type KnownEdit, keyedEdit, matchEdits, sealedEdit } from './matchEdits.ts';
import type { AcceptedEdit, CommittedEdit } from './svcEdits.ts';

/** An edit that may be in a commit. */
export interface Candidate {
  readonly accepted: AcceptedEdit;
  readonly known: KnownEdit;
  /** The key of a line that `known` can recognize. */
  readonly keyOf: (index: number) => Buffer | undefined;
}

/** Returns the candidate for an edit that was accepted on this machine. */
export function ownCandidate(accepted: AcceptedEdit, editKey: Uint8Array, matches: Uint8Array): Candidate {
  return { accepted, known: sealedEdit(editKey, matches), keyOf: (index) => lineKeyOf(editKey, index) };
}

/** Returns the candidate for an edit in the note of a rewritten commit, accepted by any user. */
export function notedCandidate({ path: _, lines, ...accepted }: CommittedEdit): Candidate {
  const keys = new Map(lines.map(({ index, key }) => [index, key]));
  return { accepted, known: keyedEdit(keys, accepted.tags), keyOf: (index) => keys.get(index) };
}

/**
 * The edits in a commit, with the keys of only those lines that it contains. The newest of `candidates` comes first. For
 * `max`, see matchEdits.
 */
export async function committedEdits(
  candidates: readonly Candidate[],
  added: readonly AddedLines[],
  max?: number,
): Promise<readonly CommittedEdit[]> {
  const once = new Map(candidates.toReversed().map((one) => [one.accepted.edit, one]));
  const wanted = [...once.values()].reverse().map((candidate) => [candidate, candidate.known] as const);
  const found = await matchEdits(wanted, added, max);
  return found.map(({ edit: { accepted, keyOf }, path, pairs }) => ({
    ...accepted,
    path,
    lines: pairs.flatMap(([index, number]) => {
      const key = keyOf(index);
      return key === undefined ? [] : [{ number, index, key }];
    }),
  }));
}
