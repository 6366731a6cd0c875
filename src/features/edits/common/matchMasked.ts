import { type EditMatch, matchEdit, type TextEdit } from '../../../edits/placing/matchEdit.ts';
import type { SecretKeeper } from '../../../gate/secrets/marks/keeper.ts';
import { hunksOf } from './hunks.ts';
import { SecretCover } from './secretCover.ts';

/** A line of the edited file, counted from 0, that would have a mark instead of a secret. */
export interface LeftMark {
  readonly is: 'mark';
  readonly line: number;
}

interface Masked {
  readonly keeper: SecretKeeper;
  /** The secrets of the file, which the model saw as marks. */
  readonly secrets: readonly string[];
  readonly languageId: string;
}

/**
 * Like matchEdit(), but for an edit of a model that saw marks instead of the file's secrets: the secrets are put back. An edit
 * is refused if it has a mark of another file, or a mark whose secret is unclear. Text that is only a part of a secret matches nothing.
 */
export function matchMasked(
  file: readonly string[],
  edit: TextEdit,
  { keeper, secrets, languageId }: Masked,
): EditMatch | LeftMark {
  const cover = new SecretCover(secrets);
  const hidden = (text: string): string => cover.hide(text);
  const whole = (text: string): string => hidden(keeper.putBack(text, file).text);
  const lines = hidden(file.join('\n')).split('\n');
  const match = matchEdit(lines, { ...edit, old: whole(edit.old), now: whole(edit.now) }, languageId);
  if (match.is !== 'fit') return match;
  const shown = { ...match, lines: cover.show(match.lines.join('\n')).split('\n') };
  return leftMark(file, shown.lines, keeper) ?? shown;
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
