import type { ChatClient } from '../client/chatStream.ts';
import type { RequestContext } from '../gate/admit.ts';
import type { SecretScanner } from '../gate/secrets/secretScanner.ts';
import type { Connection } from '../policy/connection.ts';
import type { DayLimits } from '../policy/managed/dayLimits.ts';
import { ServiceError } from '../util/errors.ts';
import type { Logger } from '../util/logger.ts';
import type { AuditTrail } from './audit.ts';
import type { ContextBudget } from './budget/contextBudget.ts';
import type { Recognition, RecognitionWanted } from './excludedContent.ts';
import type { Attachment } from './message/attachment.ts';
import type { Outgoing } from './outgoing.ts';

/** The dependencies of dispatch. */
export interface DispatchParts {
  /**
   * Returns the current values; called for each request. `isRequested` is false if the user has not asked for anything, and the
   * size of the next request is measured: no network is used then.
   */
  readonly requestContext: (outgoing: Outgoing, isRequested?: boolean) => RequestContext | Promise<RequestContext>;
  /** Returns the reason why an attachment may not be sent (a rule and its location), or null if it may be. */
  readonly exclusion: (attachment: Attachment) => Promise<string | null>;
  /** Returns what is known of the content of excluded files. */
  readonly recognition: (wanted: RecognitionWanted, signal?: AbortSignal) => Promise<Recognition>;
  readonly scanner: () => Promise<SecretScanner>;
  /** Runs a credential helper if it has to; throws a ServiceError if that gives no key. */
  readonly apiKey: (connection: Connection, signal?: AbortSignal) => Promise<string | undefined>;
  /** The credential helpers, whose keys change. Undefined if there are none. */
  readonly helpers?: KeyHelpers;
  /** For example, `svc-coder/1.2.3`. */
  readonly userAgent: string;
  readonly audit: AuditTrail;
  /** Throws a ServiceError, `gate` with code `not-delivered`, while too much of the audit log waits for delivery. */
  readonly requireDelivery: (signal?: AbortSignal) => Promise<void>;
  /**
   * Records a request if it is within the daily limits. Throws a ServiceError, `gate` with code `day-limit`, if it is not.
   */
  readonly reserve: (limits: DayLimits, record: () => Promise<unknown>) => Promise<void>;
  readonly logger: Logger;
  readonly chatClient: () => Promise<ChatClient>;
}

interface KeyHelpers {
  /** Returns the identity of the helper that makes the keys of this connection, or null if none does. */
  readonly helperId: (connection: Connection) => string | null;
  /** Returns the user or account that the helper of the managed policy printed with this key, or undefined if there is none. */
  readonly identityOf: (connection: Connection, apiKey: string) => string | undefined;
  /** Whether a key is there without running a helper. */
  readonly isReady: (connection: Connection) => boolean;
  /** Returns a new key in place of one that the service refused, or null if there is none. */
  readonly renew: (connection: Connection, refused: string, signal: AbortSignal) => Promise<string | null>;
}

/** The dependencies of dispatch, with what is known of the models' windows. */
export interface BudgetedParts extends DispatchParts {
  readonly budget: ContextBudget;
}

/** Returns the key. Throws a ServiceError (`auth`, code `no-key`) if there is none for this exact origin. */
export async function keyFor(
  parts: Pick<DispatchParts, 'apiKey'>,
  connection: Connection,
  signal?: AbortSignal,
): Promise<string> {
  const apiKey = await parts.apiKey(connection, signal);
  if (apiKey === undefined) {
    const { origin } = connection;
    throw new ServiceError('auth', 'No key is stored for this address.', { code: 'no-key', origin });
  }
  return apiKey;
}
