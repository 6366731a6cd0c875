import type { Span } from '../util/text/span.ts';
import { joinSpans } from '../util/text/span.ts';
import { isImport } from './placing/imports.ts';
import { isBlank } from './text/lines.ts';
import { Code, type Unit } from './text/units.ts';

/** The number of lines of a function that are shown before and after a part of it. */
const linesAround = 60;
const importLines = 60;

/**
 * Returns what a reader of some lines needs from the file besides them: the imports, the head of each class around the
 * lines, and the rest of the function around them. The spans are in order, and exclude the lines themselves.
 */
export function enclosingOf(lines: readonly string[], languageId: string, part: Span): readonly Span[] {
  const code = new Code(lines, languageId);
  if (code.blocks === 'markup') return [];
  const spans: Span[] = code.units().filter((unit) => isImport(code, unit));
  const imports = joinSpans(spans.map(({ start, end }) => ({ start, end: withBlanks(lines, end) }))).map(
    ({ start, end }) => ({ start, end: Math.min(end, start + importLines) }),
  );
  const around = [...code.declared()].map(({ unit }) => unit).filter((unit) => encloses(unit, part));
  const wanted = [...imports, ...around.flatMap((unit) => partsOf(unit, part))].flatMap((span) => without(span, part));
  const sorted = wanted.toSorted((a, b) => a.start - b.start);
  return joinSpans(sorted).flatMap((span) => trimmed(lines, span));
}

/** Whether a unit contains more than these lines, which may be all of it except its comments. */
function encloses({ start, head, end }: Unit, part: Span): boolean {
  return start <= part.start && part.end <= end && !(part.start <= head && end <= part.end);
}

function partsOf({ start, end, inner, holds }: Unit, part: Span): readonly Span[] {
  const head = { start, end: Math.min(inner.start, start + linesAround) };
  if (holds !== null && inner.start < inner.end) return [head];
  return [head, { start: Math.max(start, part.start - linesAround), end: Math.min(end, part.end + linesAround) }];
}

function without({ start, end }: Span, part: Span): readonly Span[] {
  const before = { start, end: Math.min(end, part.start) };
  const after = { start: Math.max(start, part.end), end };
  return [before, after].filter((span) => span.start < span.end);
}

/** Blank lines between two imports do not separate them. */
function withBlanks(lines: readonly string[], end: number): number {
  let at = end;
  while (at < lines.length && isBlank(lines[at] ?? '')) at += 1;
  return at;
}

function trimmed(lines: readonly string[], { start, end }: Span): readonly Span[] {
  let [first, last] = [start, end];
  while (first < last && isBlank(lines[first] ?? '')) first += 1;
  while (last > first && isBlank(lines[last - 1] ?? '')) last -= 1;
  return first === last ? [] : [{ start: first, end: last }];
}
