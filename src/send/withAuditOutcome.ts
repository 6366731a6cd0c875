import type { ChatEvent } from '../client/chat.ts';
import { isUnsent } from '../client/serviceError.ts';
import type { AuditConfirmation, AuditOutcome } from '../protocol/audit/auditValues.ts';
import { isFrom } from '../util/errorKinds.ts';
import { isServiceError, type ServiceError, withFacts } from '../util/errors.ts';
import type { Logger } from '../util/logger.ts';
import type { AuditEntryOf, AuditHeader, AuditTrail } from './audit.ts';
import type { SentAgain } from './budget/contextWindow.ts';
import type { Shortened } from './budget/leftOut.ts';
import { bytesPerToken, countedTokens } from './budget/tokens.ts';
import type { SentForm } from './form/form.ts';
import { identifier } from './identifier.ts';
import { AnswerReceipt } from './message/answerReceipt.ts';
import type { Receipt } from './message/receipt.ts';

/** The events of an answer, with the service's `security` object converted to a receipt. */
export type DispatchEvent =
  | Exclude<ChatEvent, { type: 'security' | 'response' }>
  /** The service has answered. `request` is its id in the audit log, `requestId` the service's own. */
  | (Extract<ChatEvent, { type: 'response' }> & { readonly request: string })
  | { readonly type: 'receipt'; readonly receipt: Receipt }
  /** The model accepts no tools, so this answer was made without the tools that were offered. */
  | { readonly type: 'without-tools' }
  /** The service accepted the request in a different form from the one that the user expects. */
  | ({ readonly type: 'in-form' } & SentForm)
  /** The service refused the request as too long: it was sent again. `window`: the tokens that the model reads, if known. */
  | ({ readonly type: 'sent-again-shorter'; readonly shortened?: Shortened } & SentAgain)
  /** The service counted far fewer tokens than were sent (estimated): it may not have read all of them. */
  | { readonly type: 'reads-less'; readonly counted: number; readonly sent: number };

type Outcome = AuditEntryOf<'request-outcome'>;

/** A request whose answer is being read. */
interface Sent {
  readonly request: string;
  readonly origin: string;
  readonly headers: readonly AuditHeader[];
  /** The size of the request, if its tokens are estimated when the service does not count them; otherwise null. */
  readonly estimatedBytes: number | null;
  /** The number of retries so far; a wait without an attempt after it is not included. */
  readonly retries: () => number;
}

/** Forwards an answer, and records its outcome, however it ends. */
export async function* withAuditOutcome(
  { audit, logger }: { readonly audit: AuditTrail; readonly logger: Logger },
  { request, origin, headers, estimatedBytes, retries }: Sent,
  events: AsyncGenerator<readonly ChatEvent[]>,
): AsyncGenerator<readonly DispatchEvent[]> {
  const startedAt = performance.now();
  const seen: { -readonly [K in keyof Outcome]?: Outcome[K] } = {};
  const statements = new AnswerReceipt(headers);
  let received = 0;
  let hasArrived = false;
  /** Whether the service may have received some of the request, so that its tokens are counted. */
  let mayCount = true;
  // If the consumer leaves the loop early, only the finally block runs.
  let outcome: AuditOutcome = 'stopped';
  try {
    for await (const batch of events) {
      const passed: DispatchEvent[] = [];
      for (const event of batch) {
        if (event.type === 'security') {
          const before = statements.receipt;
          const receipt = statements.add(event.security);
          if (receipt !== before) passed.push({ type: 'receipt', receipt });
        } else {
          hasArrived ||= event.type !== 'retry-wait' || !isUnsent(event.error);
          note(seen, event);
          received += bytesIn(event);
          if (event.type === 'response') passed.push({ ...event, request });
          else passed.push(event.type === 'retry-wait' ? { ...event, error: sentTo(event.error, origin) } : event);
        }
      }
      yield passed;
    }
    outcome = 'complete';
    if (statements.receipt === undefined && headers.length > 0)
      yield [{ type: 'receipt', receipt: statements.add(undefined) }];
  } catch (error) {
    outcome = 'failed';
    if (isServiceError(error)) {
      mayCount = hasArrived || !isUnsent(error);
      const { kind, status, requestId } = error;
      if (kind === 'aborted') outcome = 'stopped';
      else seen.error = kind;
      if (kind === 'interrupted') outcome = 'interrupted';
      if (status !== undefined) seen.status = status;
      if (requestId !== undefined) seen.requestId = identifier(requestId);
    }
    throw isServiceError(error) ? sentTo(error, origin) : error;
  } finally {
    const durationMs = Math.round(performance.now() - startedAt);
    const { receipt } = statements;
    const confirmation: AuditConfirmation = receipt === undefined || headers.length === 0 ? 'none' : receipt.verdict;
    if (estimatedBytes !== null && countedTokens(seen) === undefined)
      seen.estimatedTokens = mayCount ? Math.ceil((estimatedBytes + received) / bytesPerToken) : 0;
    const entry: Outcome = {
      kind: 'request-outcome',
      request,
      outcome,
      ...seen,
      retries: retries(),
      durationMs,
      confirmation,
    };
    // The request has already happened: a write error is only reported, and the next intent fails if it must.
    await audit
      .record(entry)
      .catch(() => logger.warn('The outcome of a request could not be written to the audit log.'));
  }
}

/** The size of the part of an answer that an event contains. */
function bytesIn(event: Exclude<ChatEvent, { type: 'security' }>): number {
  switch (event.type) {
    case 'text-delta':
    case 'reasoning-delta':
      return Buffer.byteLength(event.text);
    case 'tool-call':
      return Buffer.byteLength(JSON.stringify(event.call));
    default:
      return 0;
  }
}

function note(seen: { -readonly [K in keyof Outcome]?: Outcome[K] }, event: Exclude<ChatEvent, { type: 'security' }>) {
  switch (event.type) {
    case 'response':
      seen.status = event.status;
      if (event.requestId !== undefined) seen.requestId = identifier(event.requestId);
      return;
    case 'usage':
      Object.assign(seen, event.usage);
      return;
    case 'finish':
      seen.finishReason = identifier(event.finishReason);
      return;
    case 'retry-wait':
    case 'text-delta':
    case 'reasoning-delta':
    case 'tool-call':
      return;
  }
}

/** The error of a request, with the origin that it was sent to: it is shown later, when another address may be set. */
function sentTo(error: ServiceError, origin: string): ServiceError {
  const wasSent = isFrom(error, 'service') || isFrom(error, 'transport');
  return wasSent && error.origin === undefined ? withFacts(error, { origin }) : error;
}
