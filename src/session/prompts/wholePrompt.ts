import type { Attachment } from '../../send/message/attachment.ts';
import { fenceFor } from '../../util/text/fence.ts';
import { fenceWords, markWords } from './codeWords.ts';
import { isLong, pieceWords } from './pieces.ts';

/** The purpose of an answer whose code could not be placed. */
export interface WholeAsked {
  /**
   * `edit`: replaces all of each place. `insert`: inserts code at a mark. `file`: is a whole text, of `file` if that is
   * set.
   */
  readonly mode: 'edit' | 'insert' | 'file';
  /** The number of places. */
  readonly places: number;
  /** The number of lines of the longest place. */
  readonly lines: number;
  readonly file?: string;
}

/** Asks again for code that could not be placed. `quoted`: those of its lines that match nowhere. */
export function wholePrompt(quoted: readonly string[], asked: WholeAsked): string {
  const what = `The code could not be placed: it is not clear which lines of the file it replaces.${quotedWords(quoted)}`;
  return `${what}\n${formWords(asked)} Answer with only code, without explanation.`;
}

/**
 * Like wholePrompt(), but as a separate request. The first parameter is a code block of an earlier answer, which
 * changes `file`.
 */
export function wholeOfFileParts(
  { info, text }: { readonly info: string; readonly text: string },
  file: Attachment,
  quoted: readonly string[],
  asked: WholeAsked,
): readonly (string | Attachment)[] {
  const fence = fenceFor(text);
  const lines = text.endsWith('\n') ? text : `${text}\n`;
  return [
    `This code changes ${file.label}:\n${fence}${info.replace(/[`\n]/g, '')}\n${lines}${fence}`,
    `${wholePrompt(quoted, asked)} ${fenceWords([file.text])} ${markWords}`,
    file,
  ];
}

/** Returns the lines that the answer contains. In the other lines, the file's own secrets have replaced their marks. */
export function asWritten(lines: readonly string[], answer: string): readonly string[] {
  const answerLines = new Set(answer.split(/\r\n|\r|\n/).map((line) => line.trim()));
  return lines.filter((line) => answerLines.has(line.trim()));
}

function quotedWords(quoted: readonly string[]): string {
  const text = quoted.join('\n');
  if (text.trim() === '') return '';
  const fence = fenceFor(text);
  return ` These lines of it have no place:\n${fence}\n${text}\n${fence}`;
}

function formWords({ mode, places, lines, file }: WholeAsked): string {
  const whole = 'from its first line to its last, without leaving anything out and without a mark for lines that stay.';
  if (mode === 'insert')
    return 'Give again, in one fenced block, only the code that goes to the mark, without leaving anything out.';
  if (isLong(lines)) return pieceWords(mode === 'file' ? 'file' : 'code');
  if (mode === 'file')
    return `Give the whole text of ${file ?? 'the file'} with this change in one fenced block, ${whole}`;
  return places > 1
    ? `Give each of the ${places} parts of the code again, in this order, each in a fenced block of its answerLines, ${whole}`
    : `Give the whole of the changed code again in one fenced block, ${whole}`;
}
