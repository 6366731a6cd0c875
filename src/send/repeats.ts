import type { FoundSecret } from '../gate/secrets/examineText.ts';
import type { Preview } from './confirmation.ts';
import type { Attachment } from './message/attachment.ts';
import type { Outgoing } from './outgoing.ts';
import { validMessages } from './wire/validMessages.ts';

/** An attachment whose text is part of the request. */
interface Quoted {
  readonly attachment: Attachment;
  /** Differs between messages whose secrets may be treated differently; null without secrets. */
  readonly treatment: string | null;
}

/** The attachments that a request already has: the same text is sent once. */
export class QuotedFiles {
  readonly #byUri = new Map<string, Quoted[]>();

  /**
   * True if the same text of the same file is above, with its secrets treated in the same way; otherwise it is from now
   * on.
   */
  isRepeat(attachment: Attachment, found: readonly FoundSecret[], treatment: string): boolean {
    const quoted = { attachment, treatment: found.length === 0 ? null : treatment };
    const above = this.#byUri.get(attachment.uri) ?? [];
    if (above.some((each) => isSame(each, quoted))) return true;
    this.#byUri.set(attachment.uri, [...above, quoted]);
    return false;
  }
}

function isSame({ attachment: a, treatment }: Quoted, { attachment: b, treatment: other }: Quoted): boolean {
  return treatment === other && isSameFile(a, b);
}

/** Whether two attachments of one URI have the same text, and would be masked in the same way. */
export function isSameFile(a: Attachment, b: Attachment): boolean {
  const isSameText = a.label === b.label && a.firstLine === b.firstLine && a.text === b.text;
  // The marks are part of how secrets are masked.
  return isSameText && JSON.stringify(a.marks) === JSON.stringify(b.marks);
}

/** The names of attachments that are in a request once, although more than one message has them. */
export function repeatsOf({ parts }: Pick<Preview, 'parts'>): readonly string[] {
  return [...new Set(parts.flat().flatMap(({ repeats }) => repeats ?? []))];
}

/** Those of the last question. */
export function repeatsInQuestion({ parts }: Preview, { messages, offer }: Outgoing): readonly string[] {
  const question = messages.findLast(({ role }) => role === 'user');
  const wire = validMessages(messages, offer !== undefined && offer.tools.length > 0);
  const index = question === undefined ? -1 : wire.findIndex((group) => group.includes(question));
  return repeatsOf({ parts: parts.slice(index, index + 1) });
}
