import type { Span } from '../../../../util/text/span.ts';

/** The maximum length of a line in characters. Longer lines are cut: a line of a minified file would use up the result. */
const maxChars = 300;

/** A line, or a part of a long line. */
interface FoundLine extends Span {
  /** The line number, counted from 1. */
  readonly line: number;
}

/** Returns the lines that contain `query`, ignoring case. Of a long line, it returns the part around the match. */
export function linesIn(text: string, query: string): readonly FoundLine[] {
  const wanted = query.toLowerCase();
  if (!text.toLowerCase().includes(wanted)) return [];
  const found: FoundLine[] = [];
  let line = 0;
  let begin = 0;
  for (const { index, 0: lineBreak } of text.matchAll(/\r\n|\r|\n|$/g)) {
    line += 1;
    const content = text.slice(begin, index);
    const at = content.toLowerCase().indexOf(wanted);
    if (at >= 0) {
      const from = Math.max(0, Math.min(at - maxChars / 2, content.length - maxChars));
      const to = Math.min(content.length, from + maxChars);
      found.push({ line, start: begin + wholeFrom(content, from), end: begin + wholeFrom(content, to) });
    }
    begin = index + lineBreak.length;
  }
  return found;
}

/** Returns the position of a cut, moved after the character if it would split one. */
function wholeFrom(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}
