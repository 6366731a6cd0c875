import { sliceOf } from '../../../../gate/content.ts';
import { numbered, numberedBytes } from '../../../../gate/numbered.ts';
import type { Attachment } from '../../../../send/message/attachment.ts';

/** Adds the number of each line, so that the model need not count lines. */
export function withNumbers(attachment: Attachment, firstLine: number): Attachment {
  const { text, marks, covers } = attachment;
  const made = numbered({ text, marks: marks ?? [], covers: covers ?? [] }, firstLine);
  return { ...attachment, text: made.text, ...(marks === undefined ? {} : { marks: made.marks }) };
}

interface Beginning {
  readonly attachment: Attachment;
  /** The size in bytes of UTF-8 of the rest, with its numbers. */
  readonly bytesLeftOut: number;
}

/**
 * Like withNumbers(), but only for the first `maxChars` characters: a result with more of them is cut anyway, and the numbers of
 * millions of lines take seconds and gigabytes.
 */
export function beginningWithNumbers(attachment: Attachment, firstLine: number, maxChars: number): Beginning {
  const { text, marks = [], covers = [] } = attachment;
  if (text.length <= maxChars) return { attachment: withNumbers(attachment, firstLine), bytesLeftOut: 0 };
  const whole = { text, marks, covers };
  const kept = sliceOf(whole, 0, maxChars);
  const isScanned = attachment.marks !== undefined;
  const cut = { ...attachment, text: kept.text, ...(isScanned ? { marks: kept.marks } : {}) };
  const made = withNumbers(cut, firstLine);
  return { attachment: made, bytesLeftOut: numberedBytes(whole, firstLine) - Buffer.byteLength(made.text) };
}
