import type { Span } from '../util/text/span.ts';

/** A run of lines of a file that is reviewed separately. */
export interface FilePart extends Span {
  /** The first and last line, counted from 1, both inclusive. */
  readonly firstLine: number;
  readonly lastLine: number;
}

/** The maximum number of characters of a part, about 8,000 tokens: with a larger input, a model finds fewer problems. */
export const maxPart = 32_000;
/**
 * The number of lines shared with the previous part, so that code across a cut is complete in one of the two parts. A part
 * with few lines shares a quarter of them.
 */
export const overlap = 20;

/**
 * Splits a file into parts of at most `limit` characters of whole lines. A single longer line becomes a separate part and is
 * cut: `cutLines` lists it, because the rest of the line is not reviewed.
 */
export function splitFile(
  text: string,
  limit = maxPart,
): { readonly parts: readonly FilePart[]; readonly cutLines: readonly number[] } {
  if (text.length <= limit) return { parts: [wholeFile(text)], cutLines: [] };
  const lines = text.split('\n').map((line, index, all) => (index < all.length - 1 ? `${line}\n` : line));
  if (lines.at(-1) === '') lines.pop();
  const parts: FilePart[] = [];
  const cutLines: number[] = [];
  const starts = lines.map(() => 0);
  for (let index = 1; index < lines.length; index += 1) {
    starts[index] = (starts[index - 1] ?? 0) + (lines[index - 1] ?? '').length;
  }
  let first = 0;
  while (first < lines.length) {
    let last = first;
    let size = (lines[first] ?? '').length;
    while (last + 1 < lines.length && size + (lines[last + 1] ?? '').length <= limit) {
      last += 1;
      size += (lines[last] ?? '').length;
    }
    if (size > limit) cutLines.push(first + 1);
    const start = starts[first] ?? 0;
    parts.push({ firstLine: first + 1, lastLine: last + 1, start, end: start + Math.min(size, limit) });
    if (last + 1 >= lines.length) break;
    // Always advances: long lines leave no room for an overlap.
    first = Math.max(first + 1, last + 1 - Math.min(overlap, (last + 1 - first) >> 2));
  }
  return { parts, cutLines };
}

/** Like splitFile(), but for a part that is too long: returns its parts as parts of the whole file. */
export function splitPart(
  text: string,
  { start, end, firstLine }: FilePart,
  limit: number,
): ReturnType<typeof splitFile> {
  const { parts, cutLines } = splitFile(text.slice(start, end), limit);
  const before = firstLine - 1;
  return {
    parts: parts.map((part) => ({
      firstLine: before + part.firstLine,
      lastLine: before + part.lastLine,
      start: start + part.start,
      end: start + part.end,
    })),
    cutLines: cutLines.map((line) => before + line),
  };
}

function wholeFile(text: string): FilePart {
  const lines = text.split('\n').length;
  return { firstLine: 1, lastLine: Math.max(1, text.endsWith('\n') ? lines - 1 : lines), start: 0, end: text.length };
}
