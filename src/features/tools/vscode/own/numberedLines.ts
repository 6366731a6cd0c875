import { numbered } from '../../../../gate/numbered.ts';
import type { Attachment } from '../../../../send/message/attachment.ts';

/** Adds the number of each line, so that the model need not count lines. */
export function withNumbers(attachment: Attachment, firstLine: number): Attachment {
  const { text, marks, covers } = attachment;
  const made = numbered({ text, marks: marks ?? [], covers: covers ?? [] }, firstLine);
  return { ...attachment, text: made.text, ...(marks === undefined ? {} : { marks: made.marks }) };
}
