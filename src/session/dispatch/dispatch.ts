import { randomUUID } from 'node:crypto';
import { abortedError } from '../../util/errors.ts';
import { admitAgain, formOf } from './admitAgain.ts';
import type { AuditEntry, AuditHeader } from './audit.ts';
import type { ConfirmationChoice, ConfirmSend, Preview } from './confirmation.ts';
import type { DispatchParts } from './dispatchParts.ts';
import { keyFor } from './keyFor.ts';
import { type Outgoing, withAllPlaces } from './outgoing.ts';
import { confirmationOf, type Prepared, prepare } from './prepare.ts';
import { type DispatchEvent, withAuditOutcome } from './withAuditOutcome.ts';

/** A request that was admitted. */
export interface Dispatched {
  readonly model: string;
  readonly headers: readonly AuditHeader[];
  /** Sent under zero retention. */
  readonly isZeroRetention: boolean;
  /** How secrets in its new message were treated. */
  readonly secrets: 'mask' | 'as-is';
  /** Its destination: see destination.ts. */
  readonly destination: string;
  readonly origin: string;
  /** How many secrets were masked in all messages. */
  readonly masked: number;
  /** Batches as they arrive from the network; throws ServiceError. Leaving the loop closes the socket. */
  readonly events: AsyncGenerator<readonly DispatchEvent[]>;
}

export interface Dispatch {
  /** Throws a ServiceError if the request may not leave, `aborted` if the user declines. */
  send(outgoing: Outgoing, review: ConfirmSend, signal: AbortSignal): Promise<Dispatched>;
  /** What send() would send now. Throws like send(); sends nothing, records nothing. */
  preview(outgoing: Outgoing): Promise<Preview>;
}

/**
 * The only exit: everything that carries content passes through here, and nothing else calls streamChat. In this order:
 * trust, policy, exclusions, size, secrets, preview, audit, send. A request that is resent after a wait is admitted
 * again.
 */
export function createDispatch(given: DispatchParts): Dispatch {
  const parts = { ...given, requestContext: (outgoing: Outgoing) => given.requestContext(withAllPlaces(outgoing)) };
  return {
    async preview(outgoing) {
      return (await prepare(parts, outgoing)).masked;
    },
    async send(outgoing, confirmSend, signal) {
      const { prepared, choice, wasShown } = await decide(parts, outgoing, confirmSend, signal);
      const { admission } = prepared;
      const chosen = formOf(prepared, choice);
      const apiKey = await keyFor(parts, admission.connection);
      const client = await parts.chatClient();
      if (signal.aborted) throw abortedError();
      const request = randomUUID();
      await recordIntent(parts, prepared, {
        kind: 'request-intent',
        request,
        action: outgoing.action,
        origin: admission.connection.origin,
        model: admission.options.model,
        headers: chosen.headers,
        files: chosen.files.length,
        bytes: Buffer.byteLength(chosen.request.body),
        maskings: chosen.masked.length,
        unmasked: chosen.unmasked.length,
        exclusions: chosen.excluded.length,
        previewed: wasShown,
      });
      const { limits } = admission.options;
      let retries = 0;
      const again = async (attempt: number): Promise<void> => {
        await admitAgain(parts, outgoing, { prepared, choice, apiKey });
        retries = attempt;
      };
      const events = client.streamChat(chosen.request, { apiKey, limits }, again, signal);
      return {
        model: admission.options.model,
        headers: chosen.headers,
        isZeroRetention: admission.isZeroRetention,
        secrets: choice === 'send-as-is' || prepared.isAsIs ? 'as-is' : 'mask',
        destination: prepared.destination,
        origin: admission.connection.origin,
        masked: chosen.masked.length,
        events: withAuditOutcome(parts, { request, headers: chosen.headers, retries: () => retries }, events),
      };
    },
  };
}

interface Decision {
  readonly prepared: Prepared;
  readonly choice: ConfirmationChoice;
  readonly wasShown: boolean;
}

/** Asks the user if necessary. What they saw is what leaves: if it changed meanwhile, asks again. */
async function decide(
  parts: DispatchParts,
  outgoing: Outgoing,
  confirmSend: ConfirmSend,
  signal: AbortSignal,
): Promise<Decision> {
  let prepared = await prepare(parts, outgoing, signal);
  // Before the user is asked about a request that cannot be sent.
  await keyFor(parts, prepared.admission.connection);
  for (;;) {
    if (signal.aborted) throw abortedError();
    const request = confirmationOf(prepared);
    if (request === null) return { prepared, choice: 'send-masked', wasShown: false };
    const choice = await confirmSend(request, signal);
    if (signal.aborted || choice === 'cancel') throw abortedError();
    const now = await prepare(parts, outgoing, signal);
    const isAllowed = choice !== 'send-as-is' || now.mayUnmask;
    // A request within an approved run was not shown, so the record must not claim a preview.
    const wasShown = choice !== 'send-as-agreed';
    if (isAllowed && now.fingerprint === prepared.fingerprint) return { prepared: now, choice, wasShown };
    prepared = now;
  }
}

/**
 * Resolves when the entry is on the disk, before the first byte leaves. Without required evidence, an unwritable log
 * only causes a warning.
 */
async function recordIntent(
  { audit, logger }: DispatchParts,
  { admission }: Prepared,
  entry: AuditEntry,
): Promise<void> {
  try {
    await audit.record(entry);
  } catch (error) {
    if (admission.rules.isAuditRequired) throw error;
    logger.warn('The audit log could not be written; it is not required, so the request is sent.');
  }
}
