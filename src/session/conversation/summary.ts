import type { Usage } from '../../client/chat.ts';
import type { AuditHeader } from '../../send/audit.ts';
import type { Shortened } from '../../send/budget/leftOut.ts';
import type { LeftOutContent } from '../../send/excludedContent.ts';
import type { Receipt } from '../../send/message/receipt.ts';

/** Replaces a turn and all turns before it in later requests, which contain the questions and this text instead. */
export interface Summary {
  readonly text: string;
  /** The number of turns that it replaces. */
  readonly turns: number;
  /** The model that wrote it, and what is known of that request. */
  readonly model: string;
  readonly usage?: Usage;
  readonly requestId?: string;
  readonly requested?: readonly AuditHeader[];
  readonly receipt?: Receipt;
  readonly masked?: number;
  /** The parts of these turns that its request left out. */
  readonly shortened?: Shortened;
  /** Text of excluded files that its request left out. Kept only in memory. */
  readonly contentLeftOut?: readonly LeftOutContent[];
  /** Whether the user has changed the text. */
  readonly isEdited?: true;
}
