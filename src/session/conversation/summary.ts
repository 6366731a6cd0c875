import type { Usage } from '../../client/chat.ts';
import type { AuditHeader } from '../../send/audit.ts';
import type { Shortened } from '../../send/budget/leftOut.ts';
import type { LeftOutContent } from '../../send/excludedContent.ts';
import type { Receipt } from '../../send/message/receipt.ts';

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
  /** Text of excluded files that its request left out. Only in memory. */
  readonly contentLeftOut?: readonly LeftOutContent[];
  /** The user has changed its text. */
  readonly isEdited?: true;
}
