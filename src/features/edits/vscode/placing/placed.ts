import * as vscode from 'vscode';
import { newFileLines } from '../../../../edits/newFile.ts';
import { type PlacedAnswer, placeAnswer, type Wanted } from '../../../../edits/place.ts';
import { type AnswerBlock, type ReadAnswer, textsOf, withTexts } from '../../../../edits/reading/answer.ts';
import { relativePath } from '../../../../platform/files/relativePath.ts';
import { NoCode } from '../../../../platform/messages/errors/noCode.ts';
import { showWarning } from '../../../../platform/messages/show.ts';
import { abortedError, ServiceError } from '../../../../util/errors.ts';
import type { Span } from '../../../../util/text/span.ts';
import { linesOf } from '../../common/hunks.ts';
import type { Target } from '../target.ts';

const t = vscode.l10n.t;

/** Replaces the placeholders of masked secrets with the target's own secrets. */
export type RestoreSecrets = (target: Target, codes: readonly string[]) => Promise<readonly string[]>;

/**
 * The code of an answer does not have exactly one place in the file. `quoted` are those of its lines that match
 * nowhere.
 */
export class Misplaced extends ServiceError<'protocol'> {
  readonly quoted: readonly string[];

  constructor(quoted: readonly string[]) {
    super('protocol', 'The code does not match exactly one place.', { code: 'misplaced-code', details: {} });
    this.quoted = quoted;
  }
}

/**
 * Returns the text of a target with the code of an answer in its place. If the answer might delete lines that it merely
 * omits, the user is asked. Throws Misplaced; `no-code` if the answer has no code; `aborted` if the user declines.
 */
export async function placedLines(
  target: Target,
  read: ReadAnswer,
  restoreSecrets: RestoreSecrets,
): Promise<readonly string[]> {
  if (target.kind !== 'document')
    return newLines(read, target.languageId, target.kind === 'file' ? target.uri.path : undefined);
  const { document, text, ...about } = target;
  const whole = await withSecrets(target, read, restoreSecrets);
  return linesWith(whole, { ...about, uri: document.uri, lines: linesOf(text), languageId: document.languageId });
}

/** The text of a file, and the places that code may go to. */
type TextWithPlaces = Omit<Wanted, 'file'> & { readonly uri: vscode.Uri };

/** Like placedLines(), for any text of a file, and for an answer that has its secrets already. */
export async function linesWith(read: ReadAnswer, text: TextWithPlaces): Promise<readonly string[]> {
  const placed = placeAnswer(read, { ...text, file: text.uri.path });
  if (placed.is !== 'edit') throw unplaced(placed, read);
  if (placed.mayOmit !== undefined) await confirmFullReplacement(placed.mayOmit, text.uri);
  return placed.lines;
}

function unplaced(placed: Exclude<PlacedAnswer, { readonly is: 'edit' }>, { text }: ReadAnswer): ServiceError {
  return placed.is === 'unplaced' ? new Misplaced(placed.quoted) : new NoCode(text);
}

/** The lines of a new document, which has no secrets of its own: marks stay, and the user is asked about them. */
function newLines({ blocks, text }: ReadAnswer, languageId: string, path: string | undefined): readonly string[] {
  const made = newFileLines(blocks, languageId, path);
  if (made === 'none') throw new NoCode(text);
  if (made === 'unclear') throw new Misplaced([]);
  return made;
}

/** Returns an answer in which the target's own secrets replace their marks. */
export async function withSecrets(
  target: Target,
  read: ReadAnswer,
  restoreSecrets: RestoreSecrets,
): Promise<ReadAnswer> {
  const restored = async (blocks: readonly AnswerBlock[]): Promise<readonly AnswerBlock[]> =>
    withTexts(blocks, await restoreSecrets(target, textsOf(blocks)));
  const others = await Promise.all(read.others.map(restored));
  return { ...read, blocks: await restored(read.blocks), others };
}

/**
 * Asks whether code that is much shorter than the lines at its place should replace all of them; throws `aborted` if
 * not.
 */
async function confirmFullReplacement({ start, end }: Span, uri: vscode.Uri): Promise<void> {
  const replace = t('Replace All These Lines');
  const detail = t(
    'Models often answer with only a part of the code. You see the change as a diff before it is written.',
  );
  const file = relativePath(uri);
  const question = t(
    'The answer may omit some of lines {0} to {1} of {2}. Should it replace all of them?',
    start + 1,
    end,
    file,
  );
  if ((await showWarning(question, { modal: true, detail }, replace)) !== replace) throw abortedError();
}
