import { hiddenCharacters } from '../prompts/hiddenText.ts';
import { codeOfAnswer } from './answerCode.ts';
import { withLostIndentation } from './lostIndentation.ts';
import { lineAt, type Place } from './place.ts';

/** Users do not read longer completions. */
const mostLines = 20;
const mostCharacters = 2_000;
/** More lines above are not compared with the answer. */
const mostRepeated = 20;

/**
 * The insertion for an answer, as far as it has arrived: without what models put around code, without the lines above and
 * the line's beginning if the model repeated them, with the indentation of the place, and without an end that follows the
 * place already. Inside a line it is a single line. Empty if there is nothing to insert, and if the text contains hidden
 * characters, which a proposal would show.
 */
export function insertionFrom(answer: string, place: Place, languageId = ''): string {
  const { typed, rest } = lineAt(place);
  let code = codeOfAnswer(answer, place, languageId).code;
  code = withoutTyped(withoutLinesAbove(code, place), typed);
  if (rest.trim() !== '') code = code.split('\n', 1)[0] ?? '';
  code = code.slice(0, mostCharacters).split('\n').slice(0, mostLines).join('\n');
  if (rest.trim() === '') code = `${lineBefore(code, typed)}${code}`;
  code = withLostIndentation(code, place.before);
  code = withoutRepeated(code, place.after).trimEnd();
  return hiddenCharacters(code.split('\n')).length > 0 ? '' : code;
}

/**
 * The first line of the insertion, as far as it has arrived. Empty if more of the answer may show that this is not it: a
 * sentence before the code, or a line of the file that the model repeats.
 */
export function begunInsertion(answer: string, place: Place, languageId = ''): string {
  const { code, isBefore } = codeOfAnswer(answer, place, languageId);
  const first = firstLineOf(code.trimStart()).trimEnd();
  const known = place.before.split('\n').slice(-mostRepeated - 1);
  if (isBefore || known.some((line) => line.trim().startsWith(first))) return '';
  return firstLineOf(insertionFrom(answer, place, languageId));
}

function firstLineOf(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

/** The rest of the answer would not be used: the request can be aborted. */
export function isEnough(answer: string, place: Place, languageId = ''): boolean {
  const { code, isBefore, isOver } = codeOfAnswer(answer, place, languageId);
  if (isOver || answer.length > 4 * mostCharacters) return true;
  const inside = lineAt(place).rest.trim() !== '' && !isBefore;
  const own = withoutLinesAbove(code, place);
  return own.length > mostCharacters || own.split('\n').length > (inside ? 2 : mostLines);
}

/**
 * Behind what opens a block, models forget the line end before the first line inside, or its indentation as well: then the
 * lines after it show that it is no rest of the line. Empty where there is nothing to add.
 */
function lineBefore(code: string, typed: string): string {
  if (/^[ \t]*(?:\n|$)/.test(code)) return '';
  const own = indentOf(typed);
  const isDeeper = (indent: string): boolean => indent.startsWith(own) && /^(?:\t| {2})/.test(indent.slice(own.length));
  const [first = '', second = '', ...more] = code.split('\n').filter((line) => line.trim() !== '');
  if (isDeeper(indentOf(first))) return /[{[(:]\s*$|=>\s*$/.test(typed) ? '\n' : '';
  // A brace of JSX, and what the first line opens itself, goes on in later lines in any case.
  const isBlock = /[^>=]\{\s*$/.test(typed) && indentOf(first) === '' && !/[([{]\s*$|=>\s*$/.test(first);
  return isBlock && more.length > 0 && isDeeper(indentOf(second)) ? `\n${indentOf(second)}` : '';
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** Models repeat lines above the place before they go on. A line of brackets may be meant again. */
function withoutLinesAbove(code: string, { before }: Place): string {
  const above = before
    .slice(0, before.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(-mostRepeated - 1, -1);
  const lines = code.split('\n');
  const from = lines.findIndex((line) => line.trim() !== '');
  if (from === -1) return code;
  const isRepeated = (start: number): boolean =>
    above.slice(start).every((line, index) => line.trim() === lines[from + index]?.trim());
  const start = above.findIndex((line, index) => isTelling(line) && isRepeated(index));
  return start === -1 ? code : lines.slice(from + above.length - start).join('\n');
}

/** A line that is not only the end of a block. */
function isTelling(line: string): boolean {
  return /\w/.test(line) && !/^\W*(?:end|endif|fi|done|esac)\W*$/i.test(line);
}

/** Models tend to repeat the line that they continue, or its indentation. */
function withoutTyped(code: string, typed: string): string {
  const lead = typed.trimStart();
  const start = code.trimStart();
  if (lead === '') return code.startsWith(typed) ? code.slice(typed.length) : code;
  // A single character, such as a brace, may be intended twice.
  return lead.length > 1 && start.startsWith(lead) ? start.slice(lead.length) : code;
}

/** Removes the longest end of the code with which the following text begins, such as brackets or up to a line. */
function withoutRepeated(code: string, after: string): string {
  for (let length = Math.min(code.length, after.length); length > 0; length -= 1) {
    const repeated = after.slice(0, length);
    if (!code.endsWith(repeated) || repeated.trim() === '') continue;
    const isWhole = length === after.length || after[length] === '\n' || repeated.endsWith('\n');
    if (isWhole || /^[\s)\]}>;,'"`]+$/.test(repeated)) return code.slice(0, -length);
  }
  return code;
}
