import type { Admitted } from './admitAgain.ts';
import type { AuditHeader } from './audit.ts';
import type { Shortened } from './budget/leftOut.ts';
import type { Resent } from './confirmation.ts';
import type { LeftOutContent } from './excludedContent.ts';
import type { Decided, Outgoing } from './outgoing.ts';
import type { DispatchEvent } from './withAuditOutcome.ts';

/** The facts of a request that was admitted. */
export interface Admittance extends Decided {
  readonly model: string;
  readonly headers: readonly AuditHeader[];
  /** Whether it was sent under zero retention. */
  readonly isZeroRetention: boolean;
  /** The number of secrets that were masked in all messages. */
  readonly masked: number;
  /** Names of the question's attachments that an earlier message has, so that they were not sent again. */
  readonly repeated: readonly string[];
  /** Names of the question's attachments that were sent only as their changes since an earlier message. */
  readonly changesOnly: readonly string[];
  /** Text of excluded files that the request left out. */
  readonly leftOut?: readonly LeftOutContent[];
  /** The parts of the conversation that were left out so that the request fits the model's context window. */
  readonly shortened?: Shortened;
}

/** A request that was admitted and recorded; it is sent when its events are read. */
export interface Sent {
  readonly outgoing: Outgoing;
  readonly admitted: Admitted;
  readonly facts: Admittance;
  /** The maximum time in milliseconds of its attempts and their waits. */
  readonly attemptsMs: number;
  /** Batches as they arrive from the network; throws ServiceError. Leaving the loop closes the socket. */
  readonly events: AsyncGenerator<readonly DispatchEvent[]>;
}

/** A request that the service refused, and the time that is left for the one that replaces it. */
export interface Refused {
  readonly sent: Sent;
  readonly attemptsMs: number;
  readonly resentBecause: Resent;
}

/** Admits and records a request. */
export type Begin = (outgoing: Outgoing, after?: Refused) => Promise<Sent>;
