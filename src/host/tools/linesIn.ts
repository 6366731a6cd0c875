import type { Span } from '../../util/span.ts';

/** A longer line is cut: one of a minified file would be all there is room for. */
const maxChars = 300;

/** A line, or a part of a long one. */
export interface FoundLine extends Span {
  /** Counted from 1. */
  readonly line: number;
}

/** The lines of a text that have `query`, without regard to case. Of a long one, the part around it. */
export function linesIn(text: string, query: string): readonly FoundLine[] {
  const wanted = query.toLowerCase();
  if (!text.toLowerCase().includes(wanted)) return [];
  const found: FoundLine[] = [];
  let line = 0;
  let begin = 0;
  for (const { index, 0: ending } of text.matchAll(/\r\n|\r|\n|$/g)) {
    line += 1;
    const content = text.slice(begin, index);
    const at = content.toLowerCase().indexOf(wanted);
    if (at >= 0) {
      const from = Math.max(0, Math.min(at - maxChars / 2, content.length - maxChars));
      const to = Math.min(content.length, from + maxChars);
      found.push({ line, start: begin + wholeFrom(content, from), end: begin + wholeFrom(content, to) });
    }
    begin = index + ending.length;
  }
  return found;
}

/** Behind a character that a cut would go through. */
function wholeFrom(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}
