import { type EditMatch, matchEdit, type TextEdit } from '../../../edits/placing/matchEdit.ts';
import type { SecretKeeper } from '../../../gate/secrets/marks/keeper.ts';
import { hunksOf } from './hunks.ts';

/** A line of the edited file, counted from 0, that would have a mark instead of a secret. */
export interface LeftMark {
  readonly is: 'mark';
  readonly line: number;
}

/**
 * Like matchEdit(), but for an edit of a model that saw marks instead of the file's secrets: the secrets are put back. An edit
 * is refused if it has a mark of another file, or a mark whose secret is unclear.
 */
export function matchMasked(
  file: readonly string[],
  edit: TextEdit,
  { keeper, languageId }: { readonly keeper: SecretKeeper; readonly languageId: string },
): EditMatch | LeftMark {
  const whole = (text: string): string => keeper.putBack(text, file).text;
  const match = matchEdit(file, { ...edit, old: whole(edit.old), now: whole(edit.now) }, languageId);
  return (match.is === 'fit' ? leftMark(file, match.lines, keeper) : null) ?? match;
}

/** Finds the first mark that a text would have instead of a secret. `original` is empty for a new file. */
export function leftMark(
  original: readonly string[],
  proposed: readonly string[],
  keeper: SecretKeeper,
): LeftMark | null {
  const lost = keeper.lost(original, proposed, hunksOf(original, proposed)).find(({ kind }) => kind === 'mark');
  return lost === undefined ? null : { is: 'mark', line: lost.line };
}
