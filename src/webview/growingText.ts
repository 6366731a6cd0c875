/**
 * A text that grows at its end: a chain of its pieces, newest first. New text is found by following a few links back;
 * in one string of megabytes, each piece would require a copy or comparison of all of it.
 */
export interface GrowingText {
  readonly piece: string;
  readonly before?: GrowingText;
}

/** Returns the part of `text` after `known`, or undefined if it does not continue it. */
export function newSince(text: GrowingText, known: GrowingText): string | undefined {
  const pieces: string[] = [];
  let link: GrowingText | undefined = text;
  while (link !== undefined && link !== known) {
    pieces.push(link.piece);
    link = link.before;
  }
  return link === undefined ? undefined : pieces.reverse().join('');
}
