import { hiddenCharacters } from '../prompts/hiddenText.ts';
import { cursorMark, lineAt, type Place } from './place.ts';

/** A completion longer than this is read by nobody. */
const mostLines = 20;
const mostCharacters = 2_000;

/**
 * What an answer, as far as it has come, puts in at the place: without a fence, without the line's beginning where the
 * model repeated it, and without an end that stands there already. Inside a line it is one line. Empty where there is
 * nothing to put in, and where the text holds characters that are hidden from a reader, as a proposal would show them.
 */
export function insertionFrom(answer: string, place: Place): string {
  const { typed, rest } = lineAt(place);
  let code = withoutFence(answer.replaceAll('\r\n', '\n')).replaceAll(cursorMark, '');
  code = withoutTyped(code, typed);
  if (rest.trim() !== '') code = code.split('\n', 1)[0] ?? '';
  code = code.slice(0, mostCharacters).split('\n').slice(0, mostLines).join('\n');
  code = withoutRepeated(code, place.after).trimEnd();
  return hiddenCharacters(code.split('\n')).length > 0 ? '' : code;
}

/** Nothing that still comes would be used: the answer can be broken off. */
export function isEnough(answer: string, place: Place): boolean {
  const code = withoutFence(answer);
  const inside = lineAt(place).rest.trim() !== '';
  const isClosed = /^\s*(`{3,}|~{3,})[^\n]*\n[\s\S]*\n\s*\1/.test(answer);
  return isClosed || code.length > mostCharacters || code.split('\n').length > (inside ? 2 : mostLines);
}

/** Models fence what they were asked to give as it is. Blank lines at the start are the model's, not the code's. */
function withoutFence(answer: string): string {
  const opening = /^\s*(`{3,}|~{3,})[^\n]*(\n|$)/.exec(answer);
  if (opening === null) return answer;
  const body = answer.slice(opening[0].length);
  const closing = new RegExp(`(^|\\n)[ \\t]*${opening[1]}`).exec(body);
  return closing === null ? body : body.slice(0, closing.index);
}

/** Models like to begin with the line that they were asked to go on with, or with its indentation. */
function withoutTyped(code: string, typed: string): string {
  const lead = typed.trimStart();
  const start = code.trimStart();
  if (lead === '') return code.startsWith(typed) ? code.slice(typed.length) : code;
  // One character alone, such as a brace, may well be meant to come twice.
  return lead.length > 1 && start.startsWith(lead) ? start.slice(lead.length) : code;
}

/** The longest end of the code that the following text begins with: brackets and such, or a line's worth. */
function withoutRepeated(code: string, after: string): string {
  for (let length = Math.min(code.length, after.length); length > 0; length -= 1) {
    const repeated = after.slice(0, length);
    if (!code.endsWith(repeated) || repeated.trim() === '') continue;
    const isWhole = length === after.length || after[length] === '\n' || repeated.endsWith('\n');
    if (isWhole || /^[\s)\]}>;,'"`]+$/.test(repeated)) return code.slice(0, -length);
  }
  return code;
}
