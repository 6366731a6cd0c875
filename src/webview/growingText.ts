/**
 * A text that grows at its end: a chain of its pieces, the newest first. What has come since is found by going back a
 * few links; in one string of megabytes it would be found by copying or comparing all of it, with each piece.
 */
export interface GrowingText {
  readonly piece: string;
  readonly before?: GrowingText;
}

/**
 * What `text` has after `known`, or after a beginning that is `shown`; undefined where it does not continue either.
 */
export function newSince(
  text: GrowingText,
  known: GrowingText | undefined,
  shown: string | undefined,
): string | undefined {
  const pieces: string[] = [];
  let link: GrowingText | undefined = text;
  while (link !== undefined && link !== known) {
    if (link.before === undefined) return link.piece === shown ? pieces.reverse().join('') : undefined;
    pieces.push(link.piece);
    link = link.before;
  }
  return pieces.reverse().join('');
}
