import type { Attachment } from '../conversation/attachment.ts';
import { cursorMark } from './place.ts';

/** Maximum length of an answer, in tokens; the settings may set less. */
export const completionTokens = 256;

/** The parts of the message that asks for a completion. */
export function completionParts(around: Attachment): readonly (string | Attachment)[] {
  const ask = `Complete this ${around.languageId} code at ${cursorMark}. Answer with only the code that goes in at the mark, without a fence, without explanation, and without repeating what stands before or after it. Keep it short: the rest of the line, or of the block.`;
  return [ask, around];
}
