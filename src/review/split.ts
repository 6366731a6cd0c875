import type { Span } from '../util/span.ts';

/** A run of lines of a file that is reviewed by itself. */
export interface FilePart extends Span {
  /** Counted from 1, both in the part. */
  readonly firstLine: number;
  readonly lastLine: number;
}

/** Characters of a part, about 8,000 tokens: a model that is given more finds less of it. */
export const maxPart = 32_000;
/** Lines that a part has in common with the one before: what stands across a cut is seen whole in one of them. */
export const overlap = 20;

/**
 * A file as parts of at most `limit` characters that begin and end with whole lines. A single line that is longer than
 * that is a part of its own, cut: `cutLines` names it, because nobody reviews its rest.
 */
export function splitFile(
  text: string,
  limit = maxPart,
): { readonly parts: readonly FilePart[]; readonly cutLines: readonly number[] } {
  if (text.length <= limit) return { parts: [whole(text)], cutLines: [] };
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
    // Never back to where it began: long lines leave no room for what they share.
    first = Math.max(first + 1, last + 1 - overlap);
  }
  return { parts, cutLines };
}

function whole(text: string): FilePart {
  const lines = text.split('\n').length;
  return { firstLine: 1, lastLine: Math.max(1, text.endsWith('\n') ? lines - 1 : lines), start: 0, end: text.length };
}
