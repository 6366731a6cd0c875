import { headerEnd } from '../../../../edits/text/header.ts';
import type { Span } from '../../../../util/text/span.ts';
import { joinSpans } from '../../../../util/text/span.ts';

const linesAround = 80;
const importLines = 40;

/**
 * Returns the parts of a file that a model needs to change some of its lines: the imports at its beginning, and the
 * lines before, between and after the changed lines, without these. `places` are in order. Adjacent spans are joined,
 * so that no line is sent twice. A license at the beginning is left out, because it does not describe the code.
 */
export function surroundingsOf(lines: readonly string[], places: readonly Span[]): readonly Span[] {
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined || last === undefined) return [];
  const begin = headerEnd(lines);
  const spans: Span[] = [
    { start: begin, end: Math.min(begin + importLines, first.start) },
    { start: Math.max(begin, first.start - linesAround), end: first.start },
  ];
  for (const [index, { start }] of places.entries()) {
    const before = places[index - 1];
    if (before === undefined) continue;
    spans.push({ start: before.end, end: Math.min(before.end + linesAround, start) });
    spans.push({ start: Math.max(before.end, start - linesAround), end: start });
  }
  spans.push({ start: last.end, end: Math.min(lines.length, last.end + linesAround) });
  return joinSpans(spans).filter(({ start, end }) => lines.slice(start, end).some((line) => line.trim() !== ''));
}
