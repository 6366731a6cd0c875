import type { EditMatch } from '../../../edits/placing/matchEdit.ts';
import type { Near } from '../../../edits/placing/nearest.ts';
import { joinOwn, type OwnText, ownText } from '../../../session/tools/ownText.ts';
import type { Span } from '../../../util/text/span.ts';
import type { ChangeRefusal } from './changeSet.ts';
import { changeLimits } from './changeSet.ts';
import type { LeftMark } from './matchMasked.ts';

/** The result of an edit as text for the model and the user, and the lines of the file to quote with it. */
export interface EditWords {
  readonly words: OwnText;
  readonly quoted?: Span;
}

const adjusted = {
  1: ownText``,
  2: ownText` White space at line ends was ignored.`,
  3: ownText` Typographic letters were ignored.`,
  4: ownText` The indentation was adjusted.`,
} as const;

export function editWords(match: EditMatch | LeftMark): EditWords {
  switch (match.is) {
    case 'fit': {
      const { put, rule, count } = match;
      const places = count === 1 ? ownText`` : ownText` ${count} places.`;
      return { words: ownText`Proposed, not written: ${linesOf(put)} of the new text.${places}${adjusted[rule]}` };
    }
    case 'blank':
      return { words: ownText`Refused: oldString is blank, and the file is not. Copy the lines that are to change.` };
    case 'same':
      return { words: ownText`Refused: this changes nothing.` };
    case 'tooLong':
      return { words: ownText`Refused: the file would become too long.` };
    case 'mark':
      return {
        words: ownText`Refused: line ${match.line + 1} of the edited file would have a mark in the place of a secret. Leave that line as it is.`,
      };
    case 'leftOut': {
      const name = match.text === 'old' ? ownText`oldString` : ownText`newString`;
      return {
        words: ownText`Refused: line ${match.line + 1} of ${name} replaces code that was left out. Write that code.`,
      };
    }
    case 'ambiguous': {
      const lines = joinOwn(
        [...new Set(match.at)].map((line) => ownText`${line + 1}`),
        ', ',
      );
      return {
        words: ownText`Refused: oldString occurs at several places: lines ${lines}. Copy more lines around it, so that it occurs once.`,
      };
    }
    case 'nowhere':
      return nowhereWords(match.near);
  }
}

function nowhereWords(near: Near | null): EditWords {
  if (near === null) return { words: ownText`Refused: the file has no line of oldString. Read the file again.` };
  const { differs } = near;
  const difference =
    differs === undefined
      ? ownText`Its lines are there, with other white space`
      : ownText`Line ${differs.wanted + 1} of oldString differs first, from line ${differs.line + 1} of the file`;
  return {
    words: ownText`Refused: oldString is not in the file. Most of it is at ${linesOf(near)}. ${difference}:`,
    quoted: { start: near.start, end: near.end },
  };
}

/** Names lines, counted from 1. */
function linesOf({ start, end }: Span): OwnText {
  return end - start > 1 ? ownText`lines ${start + 1}-${end}` : ownText`line ${start + 1}`;
}

const refusals: Readonly<Record<ChangeRefusal, OwnText>> = {
  'not-there': ownText`Refused: there is no file of this name.`,
  deleted: ownText`Refused: this file is proposed to be deleted.`,
  renamed: ownText`Refused: this file is proposed to have another name. Use that one.`,
  taken: ownText`Refused: another file or folder has this name, or will have it.`,
  stale: ownText`Refused: the file changed after a change was proposed for it. The user decides about that one first.`,
  'too-many-files': ownText`Refused: changes are proposed for ${changeLimits.files} files, which is the most at a time.`,
  'file-too-long': ownText`Refused: a file may have at most ${changeLimits.fileBytes / 1024} KiB.`,
  'set-too-long': ownText`Refused: all that is proposed may have at most ${changeLimits.setBytes / 1024} KiB.`,
};

export function refusalWords(refusal: ChangeRefusal): OwnText {
  return refusals[refusal];
}
