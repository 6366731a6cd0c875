import { hiddenCharacters } from '../prompts/hiddenText.ts';
import { codeOfAnswer } from './answerCode.ts';
import { withLostIndentation } from './lostIndentation.ts';
import { lineAt, type Place } from './place.ts';

/** The maximum length of a completion, because users do not read longer ones. */
const maxLines = 20;
const maxCharacters = 2_000;
/** The maximum number of lines above the place that are compared with the answer. */
const maxRepeatedLines = 20;

/**
 * The insertion for an answer, as far as it has arrived: without what models put around code, without the lines above and the
 * line's beginning if the model repeated them, with the indentation of the place, and without an end that already follows the
 * place. Inside a line it is a single line. Returns an empty string if there is nothing to insert, or if the text contains hidden
 * characters, which a proposal would show.
 */
export function insertionFrom(answer: string, place: Place, languageId = ''): string {
  const { typed, rest } = lineAt(place);
  let code = codeOfAnswer(answer, place, languageId).code;
  code = withoutTyped(withoutLinesAbove(code, place), typed);
  if (rest.trim() !== '') code = code.split('\n', 1)[0] ?? '';
  code = code.slice(0, maxCharacters).split('\n').slice(0, maxLines).join('\n');
  if (rest.trim() === '') code = `${lineBefore(code, typed)}${code}`;
  code = withLostIndentation(code, place.before);
  code = withoutRepeated(code, place.after).trimEnd();
  return hiddenCharacters(code.split('\n')).length > 0 ? '' : code;
}

/**
 * The first line of the insertion, as far as it has arrived. Empty as long as this line may not be part of the
 * insertion: a sentence before the code, or a line of the file that the model repeats.
 */
export function begunInsertion(answer: string, place: Place, languageId = ''): string {
  const { code, isPreamble } = codeOfAnswer(answer, place, languageId);
  const first = firstLineOf(code.trimStart()).trimEnd();
  const known = place.before.split('\n').slice(-maxRepeatedLines - 1);
  if (isPreamble || known.some((line) => line.trim().startsWith(first))) return '';
  return firstLineOf(insertionFrom(answer, place, languageId));
}

function firstLineOf(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

/** Whether the request can be aborted, because the rest of the answer would not be used. */
export function isEnough(answer: string, place: Place, languageId = ''): boolean {
  const { code, isPreamble, isComplete } = codeOfAnswer(answer, place, languageId);
  if (isComplete || answer.length > 4 * maxCharacters) return true;
  const inside = lineAt(place).rest.trim() !== '' && !isPreamble;
  const newCode = withoutLinesAbove(code, place);
  return newCode.length > maxCharacters || newCode.split('\n').length > (inside ? 2 : maxLines);
}

/**
 * Returns the line break that models forget before the first line inside a block, and its indentation if they forget that as
 * well: the lines after it then show that it does not continue the typed line. Returns an empty string if nothing is missing.
 */
function lineBefore(code: string, typed: string): string {
  if (/^[ \t]*(?:\n|$)/.test(code)) return '';
  const typedIndent = indentOf(typed);
  const isDeeper = (indent: string): boolean =>
    indent.startsWith(typedIndent) && /^(?:\t| {2})/.test(indent.slice(typedIndent.length));
  const [first = '', second = '', ...more] = code.split('\n').filter((line) => line.trim() !== '');
  if (isDeeper(indentOf(first))) return /[{[(:]\s*$|=>\s*$/.test(typed) ? '\n' : '';
  // Deeper lines after a JSX brace, or after a first line that opens a block itself, show nothing.
  const isBlock = /[^>=]\{\s*$/.test(typed) && indentOf(first) === '' && !/[([{]\s*$|=>\s*$/.test(first);
  return isBlock && more.length > 0 && isDeeper(indentOf(second)) ? `\n${indentOf(second)}` : '';
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/**
 * Removes the lines above the place that models repeat before they continue. A line of brackets may be intended again.
 */
function withoutLinesAbove(code: string, { before }: Place): string {
  const above = before
    .slice(0, before.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(-maxRepeatedLines - 1, -1);
  const lines = code.split('\n');
  const from = lines.findIndex((line) => line.trim() !== '');
  if (from === -1) return code;
  const isRepeated = (start: number): boolean =>
    above.slice(start).every((line, index) => line.trim() === lines[from + index]?.trim());
  const start = above.findIndex((line, index) => isDistinctive(line) && isRepeated(index));
  return start === -1 ? code : lines.slice(from + above.length - start).join('\n');
}

/** Whether a line is more than the end of a block. */
function isDistinctive(line: string): boolean {
  return /\w/.test(line) && !/^\W*(?:end|endif|fi|done|esac)\W*$/i.test(line);
}

/** Removes the beginning of the line, or its indentation, which models tend to repeat. */
function withoutTyped(code: string, typed: string): string {
  const lead = typed.trimStart();
  const start = code.trimStart();
  if (lead === '') return code.startsWith(typed) ? code.slice(typed.length) : code;
  // A single character, such as a brace, may be intended twice.
  return lead.length > 1 && start.startsWith(lead) ? start.slice(lead.length) : code;
}

/** Removes the longest end of the code that the following text begins with, such as brackets or whole lines. */
function withoutRepeated(code: string, after: string): string {
  for (let length = Math.min(code.length, after.length); length > 0; length -= 1) {
    const repeated = after.slice(0, length);
    if (!code.endsWith(repeated) || repeated.trim() === '') continue;
    const isWhole = length === after.length || after[length] === '\n' || repeated.endsWith('\n');
    if (isWhole || /^[\s)\]}>;,'"`]+$/.test(repeated)) return code.slice(0, -length);
  }
  return code;
}
