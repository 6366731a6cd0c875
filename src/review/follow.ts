import type { Span } from '../util/span.ts';

/** An edit, in UTF-16 units of the text before it. */
export interface TextChange {
  readonly offset: number;
  readonly removed: number;
  readonly inserted: number;
}

/** How far around its place a text is looked for again, in UTF-16 units. */
const reach = 20_000;

/**
 * Where a text stands after edits: where they have moved it, else the nearest place that has it still; null where it has
 * changed. `after` is the text of the whole document by now.
 */
export function follow(
  { start, end, text }: Span & { readonly text: string },
  changes: readonly TextChange[],
  after: string,
): Span | null {
  let [from, to] = [start, end];
  // As VS Code lists them: each is in terms of the text before all, the last in the text comes first.
  for (const { offset, removed, inserted } of [...changes].sort((a, b) => b.offset - a.offset)) {
    const moved = inserted - removed;
    if (offset + removed <= from) [from, to] = [from + moved, to + moved];
    else if (offset < to) to += moved;
  }
  if (after.slice(from, to) === text && from + text.length === to) return { start: from, end: to };
  const earliest = Math.max(0, from - reach);
  const around = after.slice(earliest, from + reach + text.length);
  const [before, behind] = [
    around.lastIndexOf(text, from - earliest),
    around.indexOf(text, Math.max(0, from - earliest)),
  ];
  const found = [before, behind]
    .filter((at) => at !== -1)
    .map((at) => earliest + at)
    .sort((a, b) => Math.abs(a - from) - Math.abs(b - from))[0];
  return found === undefined ? null : { start: found, end: found + text.length };
}
