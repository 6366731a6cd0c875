import type { SecretSpan } from './secrets/span.ts';

/** A file that contributes to a text. */
export interface Covered {
  readonly uri: string;
  /** The workspace folder of the file; null if it is outside of all of them. */
  readonly folder: string | null;
}

declare const made: unique symbol;

/** Text of a Content. A plain string is not assignable: other code can only cut and join existing content. */
export type MadeText = string & { readonly [made]: true };

/**
 * Text of the workspace that may be sent, with the secrets that were found in its whole source document, and the files it
 * comes from. Only platform/sources/ calls madeContent(); all other code cuts and joins existing content.
 */
export interface Content {
  readonly text: MadeText;
  /** The secrets in order, without overlaps; their offsets are in `text`. */
  readonly marks: readonly SecretSpan[];
  readonly covers: readonly Covered[];
}

/** Only platform/sources/, and the store when it reads content back, may call this; the linter enforces it. */
export function asMade(text: string): MadeText {
  return text as MadeText;
}

/** Only platform/sources/ may call this; the linter enforces it. `marks` come from a scan of the whole of `text`. */
export function madeContent(text: string, marks: readonly SecretSpan[], covers: readonly Covered[]): Content {
  return { text: asMade(text), marks, covers };
}

/** The empty text. */
export const noText = asMade('');

/**
 * Returns part of a content, by UTF-16 offsets, limited to the text. If a cut splits a secret, its rest stays marked.
 */
export function sliceOf({ text, marks, covers }: Content, from: number, to: number): Content {
  // slice() counts a negative offset from the end of the text, but marks do not.
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

/**
 * The index of the first mark that ends after `offset`. Binary search, because a text is often cut into single lines.
 */
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

/** Returns the content with more marks, whose offsets are in its text: overlapping marks merge and keep the first one's rule. */
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

/** Joins contents, with our own fixed text (names, numbers, line breaks) between them. */
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
    // Marks are pushed one by one, because a call accepts no more arguments than fit on the stack.
    for (const { rule, start, end } of part.marks) marks.push({ rule, start: at + start, end: at + end });
    // For one content that is cut into many parts, the list is processed once.
    if (part.covers === lastCovers) continue;
    lastCovers = part.covers;
    for (const covered of part.covers) covers.set(`${covered.uri} ${covered.folder}`, covered);
  }
  return madeContent(text, marks, [...covers.values()]);
}
