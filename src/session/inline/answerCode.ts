import { withoutThoughts } from '../../util/text/thoughts.ts';
import { cursorMark, type Place } from './place.ts';

/** Tokens that models use to end a text or to separate its parts; some services pass them on. */
const controlToken =
  /<\|(?:endoftext|end_of_text|eot_id|im_end|im_start|end|fim_\w{1,12}|file_sep)\|>|<(?:fim_(?:prefix|suffix|middle|pad)|file_sep)>|(?<!<)<EOT>|<｜[\w▁]{1,30}｜>|<\/s>\s*$/g;
/** A sentence with which a model introduces code. */
const preface =
  /^(?:(?:sure|okay)[,.!:]|(?:certainly|of course)\b|here(?:'s|’s| is| are)\b|the (?:completed?|completion|missing|following|rest|code)\b|this (?:is|code|completes|will|would|should)\b|to complete\b|based on\b|i(?:'ll|’ll| will| have| would)\b)[^\n]*$/i;
/** A line of at least five words, which no code begins with. */
const words = /^\p{Lu}[\p{L}'’]*(?:,? (?:[\p{L}\d'’-]+|`[^`\n]{1,60}`)){4}/u;
/** An introductory sentence that cannot be code. */
const surePreface =
  /^(?:(?:sure|certainly|of course)\b[^\n]*[:!.]|here(?:'s|’s| is| are) (?:the|your|a|an|how)\b[^\n]*:)[ \t]*$/i;
/** Languages in which sentences and fences are normal content. */
const prose = [
  'markdown',
  'mdx',
  'plaintext',
  'restructuredtext',
  'asciidoc',
  'latex',
  'git-commit',
  'prompt',
  'instructions',
];

/** The code of an answer, as far as it has arrived. */
interface AnswerCode {
  readonly code: string;
  /** Whether the text so far may precede the code: thoughts, or a sentence. */
  readonly isPreamble: boolean;
  /** Whether the code is complete: its fence is closed, or a token ends it. */
  readonly isComplete: boolean;
}

/** Extracts the code from what models put around it: thoughts, a sentence, a fence, the mark, control tokens. */
export function codeOfAnswer(answer: string, place: Place, languageId = ''): AnswerCode {
  const { text: reply, isOpen } = withoutThoughts(answer.replaceAll('\r\n', '\n'));
  const { text: answered, isEnded } = beforeToken(reply, place);
  // Blank lines after the thoughts belong to them.
  const text = reply.length < answer.length ? answered.replace(/^\s*\n/, '') : answered;
  const isProse = prose.includes(languageId) || isInComment(place);
  const start = isProse ? leadingFence(text) : fenceAfterPreface(text);
  if (start !== null) {
    const body = text.slice(start.end);
    const close = endOfFence(body, start.mark);
    return { code: unmarked(body.slice(0, close)), isPreamble: false, isComplete: isEnded || close < body.length };
  }
  const bare = isProse ? text : withoutPreface(text);
  const isPreamble = isOpen || (!isProse && !isEnded && isPreface(firstLine(text)));
  return { code: unmarked(bare), isPreamble, isComplete: isEnded };
}

function unmarked(code: string): string {
  return code.replaceAll(cursorMark, '');
}

/**
 * Returns the text up to the first control token; a token before the text is skipped. A token that occurs in the file itself is
 * treated as text.
 */
function beforeToken(text: string, { before, after }: Place): { readonly text: string; readonly isEnded: boolean } {
  let from = 0;
  for (const { 0: token, index } of text.matchAll(controlToken)) {
    if (before.includes(token) || after.includes(token)) continue;
    if (text.slice(from, index).trim() !== '') return { text: text.slice(from, index), isEnded: true };
    from = index + token.length;
  }
  return { text: text.slice(from), isEnded: false };
}

interface Opening {
  readonly mark: string;
  /** The offset at which the code begins. */
  readonly end: number;
}

const opening = /(`{3,}|~{3,})[^\n]*(?:\n|$)/y;

function leadingFence(text: string): Opening | null {
  return fenceAt(text, text.length - text.trimStart().length);
}

/** Returns the first fence if only sentences precede it. */
function fenceAfterPreface(text: string): Opening | null {
  const first = leadingFence(text);
  if (first !== null || !isPreface(firstLine(text))) return first;
  const at = text.search(/^ {0,3}(?:`{3}|~{3})/m);
  return at === -1 ? null : fenceAt(text, at + (/^ */.exec(text.slice(at, at + 4))?.[0].length ?? 0));
}

function fenceAt(text: string, at: number): Opening | null {
  opening.lastIndex = at;
  const found = opening.exec(text);
  return found === null ? null : { mark: found[1] ?? '', end: at + found[0].length };
}

/** The end of the line before the closing fence, or the end of the text if no fence closes it. */
function endOfFence(body: string, mark: string): number {
  for (let start = 0; ; start = body.indexOf('\n', start) + 1) {
    let at = start;
    while (body[at] === ' ' || body[at] === '\t') at += 1;
    if (body.startsWith(mark, at)) return Math.max(0, start - 1);
    if (!body.includes('\n', start)) return body.length;
  }
}

/** The text without a first line that can only be a sentence of the model. */
function withoutPreface(text: string): string {
  const start = text.length - text.trimStart().length;
  const end = text.indexOf('\n', start);
  const line = text.slice(start, end === -1 ? text.length : end);
  if (!surePreface.test(line)) return text;
  return end === -1 ? '' : text.slice(end).replace(/^\n+/, '');
}

function isPreface(line: string): boolean {
  return preface.test(line) || words.test(line);
}

function firstLine(text: string): string {
  return text.trimStart().split('\n', 1)[0] ?? '';
}

/** Whether the text of the line before the place begins a comment, in which sentences may follow. */
function isInComment({ before }: Place): boolean {
  const typed = before.slice(before.lastIndexOf('\n') + 1);
  return /(?:\/\/|#|\/\*|^\s*\*|--|<!--|"""|''')/.test(typed);
}
