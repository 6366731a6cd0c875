import type { SecretSpan } from './secrets/span.ts';

/** A file that a text tells of. */
export interface Covered {
  readonly uri: string;
  /** The workspace folder it lies in; null outside of all. */
  readonly folder: string | null;
}

declare const made: unique symbol;

/**
 * Text of the workspace that may leave, with the secrets that were found in the whole document it is cut from, and the
 * files it tells of. Only the maker of content calls contentOf(); everything else cuts and joins what the maker made.
 */
export interface Content {
  readonly text: string;
  /** In order, none overlapping another; offsets in `text`. */
  readonly marks: readonly SecretSpan[];
  readonly covers: readonly Covered[];
  readonly [made]: true;
}

/** For the maker of content alone; the linter holds it. `marks` come from a scan of the whole of `text`. */
export function contentOf(text: string, marks: readonly SecretSpan[], covers: readonly Covered[]): Content {
  return { text, marks, covers } as Content;
}

/** Part of a content, by UTF-16 offsets. A secret that the cut goes through stays marked as far as it is in the part. */
export function sliceOf({ text, marks, covers }: Content, start: number, end: number): Content {
  const inside = marks.flatMap((mark) => {
    const [from, to] = [Math.max(mark.start, start), Math.min(mark.end, end)];
    return from < to ? [{ rule: mark.rule, start: from - start, end: to - start }] : [];
  });
  return contentOf(text.slice(start, end), inside, covers);
}

/** Contents one after the other, with our own words (names, numbers, line ends) between them. */
export function joinOf(parts: readonly (string | Content)[]): Content {
  let text = '';
  const marks: SecretSpan[] = [];
  const covers = new Map<string, Covered>();
  for (const part of parts) {
    const at = text.length;
    if (typeof part === 'string') {
      text += part;
      continue;
    }
    text += part.text;
    marks.push(...part.marks.map(({ rule, start, end }) => ({ rule, start: at + start, end: at + end })));
    for (const covered of part.covers) covers.set(covered.uri, covered);
  }
  return contentOf(text, marks, [...covers.values()]);
}
