import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it';
import { formulaLimit, hasTex, isFormula, type Opener } from './formulaText.ts';

type Display = Exclude<Opener, '$' | '\\('>;

const closers: Readonly<Record<Opener, string>> = { $: '$', $$: '$$', '\\(': '\\)', '\\[': '\\]' };

/** The number of characters after an opener without an end that are searched for signs of TeX. */
const openTexWithin = 256;

const knownClosers = new WeakMap<StateInline, Record<string, { readonly from: number; readonly at: number }>>();

/** The information about formulas that a parse collects. */
export interface FormulaEnv {
  /** The first line of a display formula whose end may still follow; the end can change every block from there on. */
  openFormula?: number;
}

/** Adds inline formulas, and display formulas on separate lines, to the parser. */
export function formulas(parser: MarkdownIt): void {
  parser.inline.ruler.before('escape', 'formula', inlineFormula);
  parser.block.ruler.before('table', 'formula', blockFormula, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  });
}

/** Converts a formula to a token with its TeX; `markup` is the opener, and `info` the source text with its delimiters. */
function inlineFormula(state: StateInline, silent: boolean): boolean {
  const opener = openerAt(state.src, state.pos);
  // A formula has a button, which cannot be in a link.
  if (opener === undefined || state.linkLevel > 0) return false;
  const end = endOfFormula(state, opener);
  if (end === undefined) return openFormula(state, opener, silent);
  if (!silent) {
    const token = state.push('formula', 'math', 0);
    token.markup = opener;
    token.info = state.src.slice(state.pos, end);
    token.content = token.info.slice(opener.length, -closers[opener].length).trim();
  }
  state.pos = end;
  return true;
}

function openerAt(src: string, at: number): Opener | undefined {
  const two = src.slice(at, at + 2);
  if (two === '$$' || two === '\\(' || two === '\\[') return two;
  return two.startsWith('$') ? '$' : undefined;
}

function endOfFormula(state: StateInline, opener: Opener): number | undefined {
  const { src, pos, posMax } = state;
  const start = pos + opener.length;
  // A code span or another formula before the opener is still being written.
  if (/[$`]/.test(src[pos - 1] ?? '') || (opener === '$' && !mayOpen(src, pos))) return undefined;
  if (nextCloser(state, closers[opener], start) - start > formulaLimit) return undefined;
  const text = src.slice(start, Math.min(posMax, start + formulaLimit + closers[opener].length));
  const length = lengthTo(text, closers[opener]);
  if (length === undefined) return undefined;
  const end = start + length + closers[opener].length;
  if (src[end] === '$' || (opener === '$' && !mayClose(src, end))) return undefined;
  return isFormula(text.slice(0, length), opener) ? end : undefined;
}

/** Returns the position of the next closer. It is looked up only once, because a text can have any number of openers. */
function nextCloser(state: StateInline, closer: string, start: number): number {
  const known = knownClosers.get(state) ?? {};
  const last = known[closer];
  if (last !== undefined && last.from <= start && start <= last.at) return last.at;
  const found = state.src.indexOf(closer, start);
  const at = found === -1 ? Number.POSITIVE_INFINITY : found;
  knownClosers.set(state, { ...known, [closer]: { from: start, at } });
  return at;
}

/** Whether a dollar sign may open a formula: after a word or a number, it is a currency or part of a name. */
function mayOpen(src: string, at: number): boolean {
  return !/[A-Za-z0-9_)\]}]/.test(src[at - 1] ?? '') && !/\s/.test(src[at + 1] ?? ' ');
}

/** Whether a dollar sign may close a formula: before a word or a number, it begins a price or a variable, except in `$n$th`. */
function mayClose(src: string, end: number): boolean {
  if (/[\s`]/.test(src[end - 2] ?? ' ')) return false;
  return /^(?:(?:st|nd|rd|th|s)(?![A-Za-z0-9_])|[^A-Za-z0-9_({]|$)/.test(src.slice(end, end + 4));
}

/** Returns the length of a formula up to its end, which no backslash precedes. A formula contains no code. */
function lengthTo(text: string, closer: string): number | undefined {
  for (let at = text.indexOf(closer); at !== -1; at = text.indexOf(closer, at + 1)) {
    let slashes = 0;
    while (text[at - slashes - 1] === '\\') slashes += 1;
    if (slashes % 2 === 0) return closer === '$' && text.slice(0, at).includes('`') ? undefined : at;
  }
  return undefined;
}

/**
 * Shows a formula that was cut, or is still being written, as source text, with the backslashes that Markdown would remove. A
 * display formula that begins a paragraph includes all of the paragraph, any other formula the rest of its line.
 */
function openFormula(state: StateInline, opener: Opener, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  if (opener === '$' || src[pos - 1] === '$') return false;
  const isWhole = pos === 0 && isDisplay(opener);
  const rest = src.slice(pos, isWhole ? posMax : Math.min(posMax, pos + openTexWithin));
  if (lengthTo(rest.slice(2), closers[opener]) !== undefined) return false;
  const text = isWhole ? rest : (/^..[^\n`$]*/.exec(rest)?.[0] ?? '');
  if (!hasTex(text.slice(2))) return false;
  if (!silent) state.pending += text;
  state.pos += text.length;
  return true;
}

function isDisplay(opener: Opener | undefined): opener is Display {
  return opener === '$$' || opener === '\\[';
}

/** Parses a display formula on separate lines as a paragraph, so that a line such as `- b` in it does not begin a list. */
function blockFormula(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const start = lineStart(state, startLine);
  const opener = openerAt(state.src, start);
  if (!isDisplay(opener)) return false;
  const lines = linesOf(state, startLine, endLine, opener);
  if (lines === undefined) return false;
  if (silent) return true;
  state.line = startLine + lines;
  const paragraph = state.push('paragraph_open', 'p', 1);
  paragraph.map = [startLine, state.line];
  const inline = state.push('inline', '', 0);
  inline.content = state.getLines(startLine, state.line, state.blkIndent, false).trim();
  inline.map = [startLine, state.line];
  inline.children = [];
  state.push('paragraph_close', 'p', -1);
  return true;
}

/** Returns the number of lines of a formula: up to its end, or up to a blank line or the end of the text if it is incomplete. */
function linesOf(state: StateBlock, startLine: number, endLine: number, opener: Display): number | undefined {
  const closer = closers[opener];
  let text = '';
  let own: { readonly lines: number; readonly text: string } | undefined;
  for (let line = startLine; line < endLine; line += 1) {
    const at = lineStart(state, line) + (line === startLine ? opener.length : 0);
    const added = state.src.slice(at, state.eMarks[line]);
    if (line > startLine && !continues(state, line, added, opener)) return undefined;
    if (added.trim() === '' && line > startLine) own ??= { lines: line - startLine, text };
    if (text.length > formulaLimit) return undefined;
    text += `${added}\n`;
    const length = added.includes(closer) ? lengthTo(text, closer) : undefined;
    if (length === undefined) continue;
    const isAlone = /^[.,;:!?]?\s*$/.test(text.slice(length + closer.length));
    if (!isAlone || !isFormula(text.slice(0, length), opener)) return undefined;
    // Text may still follow.
    if (isLastLine(state, line)) setOpen(state, startLine);
    return line + 1 - startLine;
  }
  if ((state.eMarks[endLine - 1] ?? 0) < state.src.trimEnd().length) return undefined;
  setOpen(state, startLine);
  own ??= { lines: endLine - startLine, text };
  return hasTex(own.text) ? own.lines : undefined;
}

function setOpen(state: StateBlock, line: number): void {
  const env = state.env as FormulaEnv;
  env.openFormula = Math.min(env.openFormula ?? line, line);
}

/** Whether the line is not complete. */
function isLastLine(state: StateBlock, line: number): boolean {
  return (state.eMarks[line] ?? 0) >= state.src.length;
}

function lineStart({ bMarks, tShift }: StateBlock, line: number): number {
  return (bMarks[line] ?? 0) + (tShift[line] ?? 0);
}

/**
 * Whether a formula continues in a line: the line is neither code nor another formula, and is in the same list item or quote.
 * Only formulas in brackets may have blank lines.
 */
function continues(state: StateBlock, line: number, text: string, opener: Display): boolean {
  if (state.isEmpty(line)) return opener === '\\[' || isLastLine(state, line);
  if ((state.sCount[line] ?? 0) < state.blkIndent) return false;
  return !/^(?:`{3}|~{3}|\\\[)/.test(text);
}
