import { hiddenCharacters } from '../prompts/hiddenText.ts';
import { cursorMark, lineAt, type Place } from './place.ts';

/** Users do not read longer completions. */
const mostLines = 20;
const mostCharacters = 2_000;

/**
 * The insertion for an answer, as far as it has arrived: without a fence, without the line's beginning if the model
 * repeated it, and without an end that follows the place already. Inside a line it is a single line. Empty if there is
 * nothing to insert, and if the text contains hidden characters, which a proposal would show.
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

/** The rest of the answer would not be used: the request can be aborted. */
export function isEnough(answer: string, place: Place): boolean {
  const code = withoutFence(answer);
  const inside = lineAt(place).rest.trim() !== '';
  return isClosedFence(answer) || code.length > mostCharacters || code.split('\n').length > (inside ? 2 : mostLines);
}

/** Whether an answer begins with a fence, and has a line of code and another fence after it. */
function isClosedFence(answer: string): boolean {
  const text = answer.trimStart();
  const mark = /^(?:`{3}|~{3})/.exec(text)?.[0];
  const after = mark === undefined ? [] : text.split('\n').slice(2);
  return after.some((line) => line.trimStart().startsWith(mark ?? ''));
}

/** Models add a fence even when asked for plain code. Blank lines at the start are the model's, not the code's. */
function withoutFence(answer: string): string {
  const opening = /^\s*(`{3,}|~{3,})[^\n]*(\n|$)/.exec(answer);
  if (opening === null) return answer;
  const body = answer.slice(opening[0].length);
  return body.slice(0, endOfFence(body, opening[1] ?? ''));
}

/** The end of the line before the closing fence; that of the text if there is none. */
function endOfFence(body: string, mark: string): number {
  for (let start = 0; ; start = body.indexOf('\n', start) + 1) {
    let at = start;
    while (body[at] === ' ' || body[at] === '\t') at += 1;
    if (body.startsWith(mark, at)) return Math.max(0, start - 1);
    if (!body.includes('\n', start)) return body.length;
  }
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
