import type { Span } from '../../../../util/text/span.ts';

/** The maximum length of a line in characters. Longer lines are cut: a line of a minified file would use up the result. */
const maxChars = 300;

/** A line, or a part of a long line. */
interface FoundLine extends Span {
  /** The line number, counted from 1. */
  readonly line: number;
}

interface FoundLines {
  /** The first lines, at most as many as were asked for. */
  readonly lines: readonly FoundLine[];
  /** The number of all lines that contain the query. */
  readonly count: number;
}

/** Whether a line of the text contains `query`, ignoring case. */
export function hasLine(text: string, query: string): boolean {
  return !/[\r\n]/.test(query) && text.toLowerCase().includes(query.toLowerCase());
}

/**
 * Returns the first `max` lines that contain `query`, ignoring case, and counts the others. Of a long line, it returns the part
 * around the match. It makes nothing for the other lines: a file may have hundreds of thousands.
 */
export function linesIn(text: string, query: string, max: number): FoundLines {
  const lines: FoundLine[] = [];
  if (!hasLine(text, query)) return { lines, count: 0 };
  const [low, wanted] = [text.toLowerCase(), query.toLowerCase()];
  let count = 0;
  // A line may begin elsewhere in the text in lower case, which may be longer.
  let [begin, lowBegin] = [0, 0];
  let at = low.indexOf(wanted);
  for (let line = 1; at >= 0; line += 1) {
    const [end, lowEnd] = [endOfLine(text, begin), endOfLine(low, lowBegin)];
    if (at <= lowEnd) {
      count += 1;
      if (lines.length < max) lines.push({ line, ...partAround(text.slice(begin, end), begin, at - lowBegin) });
    }
    if (lowEnd === low.length) break;
    [begin, lowBegin] = [afterBreak(text, end), afterBreak(low, lowEnd)];
    if (at < lowBegin) at = low.indexOf(wanted, lowBegin);
  }
  return { lines, count };
}

/** Returns the place of a line, or of the part around the match if it is long. */
function partAround(content: string, begin: number, at: number): Span {
  const from = Math.max(0, Math.min(at - maxChars / 2, content.length - maxChars));
  const to = Math.min(content.length, from + maxChars);
  return { start: begin + wholeFrom(content, from), end: begin + wholeFrom(content, to) };
}

function endOfLine(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) break;
  }
  return at;
}

function afterBreak(text: string, at: number): number {
  return at + (text.charCodeAt(at) === 13 && text.charCodeAt(at + 1) === 10 ? 2 : 1);
}

/** Returns the position of a cut, moved after the character if it would split one. */
function wholeFrom(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}
