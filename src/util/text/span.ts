/**
 * A range: from `start`, counted from 0, up to `end` (exclusive). In UTF-16 units of a text, unless documented as
 * lines.
 */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Spans in order of their start, with touching or overlapping ones as one, and without empty ones. */
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

/** Lines counted from 1, both inclusive. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

export function touches(ranges: readonly LineRange[], first: number, last: number): boolean {
  return ranges.some((range) => range.first <= last && range.last >= first);
}
