import { fenceFor } from '../../util/text/fence.ts';
import type { OutgoingMessage } from '../outgoing.ts';
import type { Attachment } from './attachment.ts';

/** Replaces an attachment in an earlier question that is no longer sent. */
export function leftOut(label: string): string {
  return `[left out: ${label}]`;
}

/** Replaces an attachment whose text is already in an earlier message, or earlier in this one. */
export function asAbove(label: string): string {
  return `[${label}: as above]`;
}

/** Replaces an attachment that has changed back to the text that is quoted above, before its changes. */
export function asAboveBefore(label: string): string {
  return `[${label}: as above, without the changes]`;
}

/** Replaces an attachment whose earlier text is in another message: the hunks of a unified diff between them. */
export function quoteChanges(label: string, hunks: string): string {
  return quote({ label: `${label}: changes to the whole text above`, languageId: 'diff', text: hunks });
}

/** The text in a fence longer than any fence inside it, so that the code cannot end it early. */
export function quote({
  label,
  languageId,
  text,
}: Pick<Attachment, 'label' | 'languageId'> & { readonly text: string }): string {
  const fence = fenceFor(text);
  return `${label}\n${fence}${languageId}\n${text}\n${fence}`;
}

/** The user's own words in a message. */
export function questionOf(parts: OutgoingMessage['parts']): string {
  return parts.filter((part) => typeof part === 'string').join('\n\n');
}
