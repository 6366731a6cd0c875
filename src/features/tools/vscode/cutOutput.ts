import { sliceOf } from '../../../gate/content.ts';
import type { Attachment } from '../../../send/message/attachment.ts';
import { ownText } from '../../../session/tools/ownText.ts';
import type { ToolOutput } from '../../../session/tools/toolStep.ts';

/**
 * Returns the first `maxBytes` (UTF-8) of a tool's output, cut at a line break, with a note to the model if it was cut.
 * `bytesLeftOut` is the size of what was already cut off.
 */
export function cutOutput(output: ToolOutput, maxBytes: number, bytesLeftOut = 0): ToolOutput {
  const all = [output.text, ...output.attachments.map(({ text }) => text)];
  const bytes = all.reduce((sum, text) => sum + Buffer.byteLength(text), bytesLeftOut);
  if (bytes <= maxBytes) return output;
  // Our own text is short, and is kept.
  let remaining = maxBytes - Buffer.byteLength(output.text);
  const attachments = output.attachments.flatMap((attachment) => {
    if (remaining <= 0) return [];
    const kept = firstBytes(attachment.text, remaining);
    remaining -= Buffer.byteLength(kept);
    return [cutAttachment(attachment, kept.length)];
  });
  const note = ownText`[cut: the result has ${bytes} bytes, and at most ${maxBytes} are shown. Ask for less.]`;
  const text = output.text === '' ? note : ownText`${output.text}\n${note}`;
  return { text, attachments, cutFrom: bytes };
}

function cutAttachment({ marks, covers, ...attachment }: Attachment, end: number): Attachment {
  const cut = sliceOf({ text: attachment.text, marks: marks ?? [], covers: covers ?? [] }, 0, end);
  return {
    ...attachment,
    text: cut.text,
    ...(marks === undefined ? {} : { marks: cut.marks }),
    ...(covers === undefined ? {} : { covers: cut.covers }),
  };
}

function firstBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= limit) return text;
  // A character that was cut decodes to U+FFFD.
  const cut = bytes
    .subarray(0, limit)
    .toString()
    .replace(/\uFFFD+$/, '');
  const end = cut.lastIndexOf('\n');
  return end > 0 ? cut.slice(0, end) : cut;
}
