import type { MadeText } from '../gate/content.ts';
import { isPauseDue, pause } from '../gate/secrets/pace.ts';
import { changesBetween } from './changes.ts';
import type { Preview, SentPart } from './confirmation.ts';
import type { Attachment } from './message/attachment.ts';
import type { Outgoing, OutgoingMessage } from './outgoing.ts';
import { validMessages } from './wire/validMessages.ts';

/** An attachment, and the facts that decide how it is sent. */
export interface Attached {
  readonly attachment: Attachment;
  /** Differs between messages whose secrets may be treated differently; null if there are no secrets. */
  readonly treatment: string | null;
  /** Whether a question has it: only then may it be sent as changes. */
  readonly isOfQuestion: boolean;
}

/**
 * The form in which an attachment is sent: `whole`; as a line, if its text is above (`repeat`), or is the whole text above,
 * without the changes that follow there (`before-changes`); or as its changes to the whole text above.
 */
export type SentAs =
  | { readonly is: 'whole' | 'repeat' | 'before-changes' }
  | { readonly is: 'changes'; readonly hunks: MadeText; readonly base: Attachment };

/** The attachments that a request already has: the same text is sent once, and of a changed file only what has changed. */
export class QuotedFiles {
  readonly #byName = new Map<string, QuotedFile>();

  /**
   * Returns how this attachment is sent after those that were added. It depends on nothing that follows, so that a request
   * begins like the one before it.
   */
  sentAs(attached: Attached): SentAs {
    const { attachment } = attached;
    const above = this.#byName.get(nameOf(attachment));
    if (above === undefined) return { is: 'whole' };
    const { whole, last } = above;
    if (isSame(last, attached)) return { is: 'repeat' };
    const isAbove = above.texts.get(attachment.text)?.some((one) => isSame(one, attached)) === true;
    // With changes above, other texts than the last one would be hard to find.
    if (isAbove && !above.hasChanges) return { is: 'repeat' };
    if (whole !== null && isSame(whole, attached)) return { is: 'before-changes' };
    const hasSecrets = attached.treatment !== null || whole?.treatment !== null;
    if (whole === null || hasSecrets || !attached.isOfQuestion) return { is: 'whole' };
    const hunks = changesBetween(whole.attachment, attachment);
    return hunks === null ? { is: 'whole' } : { is: 'changes', hunks, base: whole.attachment };
  }

  /** Adds an attachment that is sent in this form. */
  add(attached: Attached, { is }: Pick<SentAs, 'is'>): void {
    const { text } = attached.attachment;
    const name = nameOf(attached.attachment);
    const before = this.#byName.get(name) ?? { texts: new Map<string, Attached[]>(), whole: null, hasChanges: false };
    const file = { ...before, last: attached };
    this.#byName.set(name, file);
    if (is === 'changes') file.hasChanges = true;
    if (is !== 'whole') return;
    file.texts.set(text, [...(file.texts.get(text) ?? []), attached]);
    // Changes after the result of a tool would seem to refer to that result.
    Object.assign(file, { whole: attached.isOfQuestion ? attached : null, hasChanges: false });
  }
}

/** A file also names its problems, and a repository all of its diffs: the label tells them apart. */
export function nameOf({ uri, label }: Attachment): string {
  return `${uri}\n${label}`;
}

interface QuotedFile {
  /** The attachments that are sent whole, by their text. */
  readonly texts: Map<string, Attached[]>;
  /** The last attachment that is sent whole, if a question has it. */
  whole: Attached | null;
  last: Attached;
  /** Whether changes to `whole` follow it. */
  hasChanges: boolean;
}

/** Compares the files of these messages in slices and caches the result, so that sentAs() need not compare them. */
export async function compareFiles(
  messages: readonly OutgoingMessage[],
  excluded: ReadonlySet<Attachment>,
  signal?: AbortSignal,
): Promise<void> {
  const above = new QuotedFiles();
  for (const message of messages) {
    for (const part of message.parts) {
      if (typeof part === 'string' || excluded.has(part)) continue;
      if (isPauseDue()) await pause(signal);
      const attached = { attachment: part, treatment: null, isOfQuestion: isQuestion(message) };
      above.add(attached, above.sentAs(attached));
    }
  }
}

function isSame({ attachment: a, treatment }: Attached, { attachment: b, treatment: other }: Attached): boolean {
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
  return [...new Set(parts.flat().flatMap(({ quotedAbove }) => quotedAbove ?? []))];
}

/** The names of attachments that a request contains only as their changes since an earlier message. */
export function changesOf({ parts }: Pick<Preview, 'parts'>): readonly string[] {
  return [...new Set(parts.flat().flatMap(({ file }) => (file?.isChanges ? file.label : [])))];
}

/** The parts of the last question, which a request for the rest of an answer follows. */
export function partsOfQuestion({ parts }: Preview, { messages, offer }: Outgoing): readonly (readonly SentPart[])[] {
  const userMessages = messages.filter(({ role }) => role === 'user');
  const question = userMessages.findLast(({ place }) => place !== undefined) ?? userMessages.at(-1);
  const wire = validMessages(messages, offer !== undefined && offer.tools.length > 0);
  const index = question === undefined ? -1 : wire.findIndex((group) => group.includes(question));
  return parts.slice(index, index + 1);
}

/** Whether a message is a question. The results of tools, which may be sent as messages of the user, have a label. */
export function isQuestion({ role, label }: OutgoingMessage): boolean {
  return role === 'user' && label === undefined;
}
