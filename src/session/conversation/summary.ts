import type { Usage } from '../../client/chat.ts';
import { fenceFor } from '../../util/fence.ts';
import type { Shortened } from '../budget/leftOut.ts';
import type { AuditHeader } from '../dispatch/audit.ts';
import type { Receipt } from './receipt.ts';

/** Replaces a turn and all turns before it in the requests that follow: they carry the questions and this text. */
export interface Summary {
  readonly text: string;
  /** How many turns it replaces. */
  readonly turns: number;
  /** The model that wrote it, and what is known of that request. */
  readonly model: string;
  readonly usage?: Usage;
  readonly requestId?: string;
  readonly requested?: readonly AuditHeader[];
  readonly receipt?: Receipt;
  readonly masked?: number;
  /** What its request left out of these turns. */
  readonly shortened?: Shortened;
  /** The user has changed its text. */
  readonly isEdited?: true;
}

/** What a request carries instead of turns that are summarized. */
export interface Earlier {
  /** The user's questions in them. */
  readonly questions: readonly string[];
  readonly summary: Pick<Summary, 'text' | 'isEdited'>;
}

/** A summary as it is sent: quoted, so that what stands in it is data like a file. */
export function summaryParts({ text, isEdited }: Earlier['summary']): readonly string[] {
  const fence = fenceFor(text);
  const title = isEdited ? 'Summary, written by a model and edited by the user:' : 'Summary, written by a model:';
  return [title, `${fence}\n${text}\n${fence}`];
}
