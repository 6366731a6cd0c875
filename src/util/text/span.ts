/**
 * A range: from `start`, counted from 0, up to `end` (exclusive). The unit is a UTF-16 unit of a text, unless documented as a
 * line.
 */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Returns the spans in order of their start, with touching or overlapping spans joined, and without empty spans. */
export function joinSpans(spans: readonly Span[]): readonly Span[] {
  const apart: Span[] = [];
  for (const span of spans) {
    if (span.start >= span.end) continue;
    const before = apart.at(-1);
    if (before === undefined || span.start > before.end) apart.push(span);
    else apart[apart.length - 1] = { start: before.start, end: Math.max(before.end, span.end) };
  }
  return apart;
}

/** A range of lines, counted from 1, both inclusive. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

export function touches(ranges: readonly LineRange[], first: number, last: number): boolean {
  return ranges.some((range) => range.first <= last && range.last >= first);
}
