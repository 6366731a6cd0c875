import type { SecretSpan } from './secrets/span.ts';

/** A file that a text tells of. */
export interface Covered {
  readonly uri: string;
  /** The workspace folder it lies in; null outside of all. */
  readonly folder: string | null;
}

declare const made: unique symbol;

/** Text that went through the maker of content. A string cannot take its place: what builds one of others cuts and joins. */
export type MadeText = string & { readonly [made]: true };

/**
 * Text of the workspace that may leave, with the secrets that were found in the whole document it is cut from, and the
 * files it tells of. Only the maker of content calls madeContent(); everything else cuts and joins what the maker made.
 */
export interface Content {
  readonly text: MadeText;
  /** In order, none overlapping another; offsets in `text`. */
  readonly marks: readonly SecretSpan[];
  readonly covers: readonly Covered[];
}

/** For the maker of content, and the store for what it had made before. The linter holds it. */
export function asMade(text: string): MadeText {
  return text as MadeText;
}

/** For the maker of content alone; the linter holds it. `marks` come from a scan of the whole of `text`. */
export function madeContent(text: string, marks: readonly SecretSpan[], covers: readonly Covered[]): Content {
  return { text: asMade(text), marks, covers };
}

/** No text: there is nothing in it that could leave. */
export const noText = asMade('');

/**
 * Part of a content, by UTF-16 offsets; what is outside of the text is not in the part. Of a secret that crosses the cut, the
 * rest stays marked.
 */
export function sliceOf({ text, marks, covers }: Content, from: number, to: number): Content {
  // A negative offset would count from the end of the text, and its marks would not.
  const [start, end] = [Math.max(0, from), Math.max(0, to)];
  const inside: SecretSpan[] = [];
  for (let index = firstAfter(marks, start); index < marks.length; index += 1) {
    const mark = marks[index];
    if (mark === undefined || mark.start >= end) break;
    const [first, last] = [Math.max(mark.start, start), Math.min(mark.end, end)];
    if (first < last) inside.push({ rule: mark.rule, start: first - start, end: last - start });
  }
  return madeContent(text.slice(start, end), inside, covers);
}

/** Where the first mark is that ends behind `offset`. Halving, because a text is often cut into each of its lines. */
function firstAfter(marks: readonly SecretSpan[], offset: number): number {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((marks[middle]?.end ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The same with more marks, whose offsets are in its text: what is one secret with another is called as the first is. */
export function alsoMarked({ text, marks, covers }: Content, more: readonly SecretSpan[]): Content {
  const sorted = [...marks, ...more].sort((a, b) => a.start - b.start || b.end - a.end);
  const apart: SecretSpan[] = [];
  for (const mark of sorted) {
    const last = apart.at(-1);
    if (last === undefined || mark.start >= last.end) apart.push(mark);
    else if (mark.end > last.end) apart[apart.length - 1] = { ...last, end: mark.end };
  }
  return madeContent(text, apart, covers);
}

/** Contents one after the other, with our own words (names, numbers, line ends) between them. */
export function joinOf(parts: readonly (string | Content)[]): Content {
  let text = '';
  const marks: SecretSpan[] = [];
  const covers = new Map<string, Covered>();
  let lastCovers: readonly Covered[] = [];
  for (const part of parts) {
    const at = text.length;
    if (typeof part === 'string') {
      text += part;
      continue;
    }
    text += part.text;
    // One by one: a call takes no more arguments than fit on the stack.
    for (const { rule, start, end } of part.marks) marks.push({ rule, start: at + start, end: at + end });
    // Of one content cut into many parts they are looked at once.
    if (part.covers === lastCovers) continue;
    lastCovers = part.covers;
    for (const covered of part.covers) covers.set(`${covered.uri} ${covered.folder}`, covered);
  }
  return madeContent(text, marks, [...covers.values()]);
}
