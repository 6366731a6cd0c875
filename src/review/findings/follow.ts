import type { Span } from '../../util/text/span.ts';

/** An edit, in UTF-16 units of the text before it. */
interface TextChange {
  readonly offset: number;
  readonly removed: number;
  readonly inserted: number;
}

/** The distance in UTF-16 units from its last known position in which a text is searched again. */
const reach = 20_000;

/**
 * Returns the position of a text after edits: the shifted position, or else the nearest occurrence; null if the text itself
 * has changed. `after` is the current text of the whole document.
 */
export function follow(
  { start, end, text }: Span & { readonly text: string },
  changes: readonly TextChange[],
  after: string,
): Span | null {
  let [from, to] = [start, end];
  // VS Code gives all offsets relative to the text before the edits, so the edit with the highest offset is applied first.
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
