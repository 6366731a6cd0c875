import type { Span } from './span.ts';

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
