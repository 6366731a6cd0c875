import { type EditMatch, matchEdit, type TextEdit } from '../../../edits/placing/matchEdit.ts';
import type { SecretKeeper } from '../../../gate/secrets/marks/keeper.ts';
import { hunksOf } from './hunks.ts';

/** A line of the edited file, counted from 0, would have a mark in the place of a secret. */
export interface LeftMark {
  readonly is: 'mark';
  readonly line: number;
}

/**
 * As matchEdit(), for an edit of a model that saw marks in the place of the file's secrets: they get their secrets back.
 * A mark that is not of this file, or of which it is unclear what it stands for, is refused.
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

/** The first mark that was put into a text in the place of a secret; for a new file, `original` is empty. */
export function leftMark(
  original: readonly string[],
  proposed: readonly string[],
  keeper: SecretKeeper,
): LeftMark | null {
  const lost = keeper.lost(original, proposed, hunksOf(original, proposed)).find(({ kind }) => kind === 'mark');
  return lost === undefined ? null : { is: 'mark', line: lost.line };
}
