import { randomUUID } from 'node:crypto';
import { abortedError, asServiceError } from '../util/errors.ts';
import { admitAfterWait, admitAgain, formOf, isKeyReady, keyOf, requireSameButContent } from './admitAgain.ts';
import { answerOf } from './answerOf.ts';
import { type AuditEntry, trailOf } from './audit.ts';
import { ContextBudget } from './budget/contextBudget.ts';
import type { Measured } from './budget/measured.ts';
import {
  type ConfirmationChoice,
  type ConfirmationRequest,
  type ConfirmSend,
  DeclinedError,
  type Preview,
} from './confirmation.ts';
import { type BudgetedParts, type DispatchParts, keyFor } from './dispatchParts.ts';
import { leaveOutTools } from './form/form.ts';
import { inForm } from './form/inForm.ts';
import { type KnownForm, LearnedForms } from './form/learnedForms.ts';
import { RequestLimit } from './form/requestLimit.ts';
import { type Outgoing, withAllPlaces } from './outgoing.ts';
import { admitFiles, confirmationOf, measure, type Prepared, prepare } from './prepare.ts';
import { Refusals } from './refusals.ts';
import { changesOf, partsOfQuestion, repeatsOf } from './repeats.ts';
import { RequestKeys } from './requestKeys.ts';
import type { Admittance, Begin, Refused, Sent } from './sent.ts';
import { type DispatchEvent, withAuditOutcome } from './withAuditOutcome.ts';

export interface Dispatched extends Admittance {
  /** Batches as they arrive from the network; throws ServiceError. Leaving the loop closes the socket. */
  readonly events: AsyncGenerator<readonly DispatchEvent[]>;
}

export interface Dispatch {
  /** Throws a ServiceError if the request may not be sent, `aborted` if the user declines. */
  send(outgoing: Outgoing, review: ConfirmSend, signal: AbortSignal): Promise<Dispatched>;
  /** Returns the request that send() would send now. Throws like send(); sends nothing, records nothing. */
  preview(outgoing: Outgoing): Promise<Preview>;
  /** Returns the size of the request that send() would send now. Throws like send(); sends nothing, records nothing. */
  measure(outgoing: Outgoing): Promise<Measured>;
  /**
   * Throws what send() would throw about trust, settings, the key and the files of this request, so that the user is not
   * asked for a text that cannot be sent. Sends nothing; a refusal is recorded.
   */
  check(outgoing: Outgoing): Promise<void>;
}

/**
 * The only exit: everything that carries content passes through here, and nothing else calls streamChat. In this order:
 * trust, policy, exclusions by name and by content, size, secrets, preview, audit, send. A request that is resent after a
 * wait is admitted again. A request that is sent shorter, or without what the service refused, takes all these steps again,
 * with a record of its own.
 */
export function createDispatch(
  given: DispatchParts,
  learned = new LearnedForms(),
  budget = new ContextBudget(),
  refusals = new Refusals(given),
): Dispatch {
  const partsFor = (isRequested: boolean) => {
    const requestContext = (outgoing: Outgoing) => given.requestContext(withAllPlaces(outgoing), isRequested);
    return { ...given, requestContext, budget, refusals };
  };
  const parts = partsFor(true);
  const measuring = partsFor(false);
  const knownFor = async (outgoing: Outgoing, by = parts): Promise<KnownForm> =>
    learned.formFor(outgoing, await by.requestContext(outgoing));
  const accepted = async (outgoing: Outgoing, by = parts): Promise<Outgoing> =>
    inForm(outgoing, (await knownFor(outgoing, by)).form) ?? outgoing;
  return {
    async preview(outgoing) {
      return (await prepare(parts, await accepted(outgoing))).masked;
    },
    async measure(outgoing) {
      return measure(measuring, await accepted(outgoing, measuring));
    },
    async check(outgoing) {
      await refusals.watch(outgoing.action, async () => keyFor(parts, (await admitFiles(parts, outgoing)).connection));
    },
    async send(outgoing, confirmSend, signal) {
      const begin: Begin = (next, after) =>
        refusals.watchPreparing(next.action, () => sendOne(parts, next, { confirmSend, signal, after }));
      if (outgoing.isAgain) learned.forget(await parts.requestContext(outgoing));
      const limit = outgoing.limit ?? new RequestLimit();
      const base = { ...outgoing, limit };
      const found = await knownFor(base);
      // A trial may take another request.
      const known = limit.left > 0 ? found : { form: leaveOutTools(found.form, found.trial), trial: [] };
      const first = await begin(inForm(base, known.form) ?? base);
      return { ...first.facts, events: answerOf(first, { begin, learned, budget, base, known, limit }) };
    },
  };
}

interface SendingParts extends BudgetedParts {
  readonly refusals: Refusals;
}

interface Sending {
  readonly confirmSend: ConfirmSend;
  readonly signal: AbortSignal;
  readonly after: Refused | undefined;
}

/** Admits one request and records its intent; it is sent when its events are read. */
async function sendOne(parts: SendingParts, outgoing: Outgoing, sending: Sending): Promise<Sent> {
  const { signal, after } = sending;
  const { prepared, choice, wasShown } = await decide(parts, outgoing, sending);
  const { admission, destination } = prepared;
  const chosen = formOf(prepared, choice);
  const isReady = isKeyReady(parts, prepared);
  const admitted = { prepared, choice, ...(await keyOf(parts, prepared, signal)) };
  if (!isReady) await admitAgain(parts, prepared.fitted.outgoing, admitted, signal);
  if (after !== undefined) requireSameButContent(after.sent.admitted, admitted);
  const client = await parts.chatClient();
  if (signal.aborted) throw abortedError();
  parts.budget.keep(outgoing, prepared.fitted);
  const request = randomUUID();
  const { model } = admission.options;
  const { origin } = admission.connection;
  const audit = trailOf(parts.audit, { subject: admitted.subject });
  const afterWait = () => admitAfterWait(parts, prepared.fitted.outgoing, admitted);
  const intent = intentOf(request, outgoing, prepared, { chosen, wasShown });
  await recordIntent({ ...parts, audit }, prepared, intent, afterWait);
  const isStill = () => admitAgain(parts, prepared.fitted.outgoing, admitted, signal);
  const watch = (check: () => Promise<void>) => parts.refusals.watch(outgoing.action, check, { request, audit });
  const stillAdmitted = () => watch(isStill);
  const keys = new RequestKeys(parts, admitted, { stillAdmitted, watch, limit: outgoing.limit, signal });
  const { headers } = chosen;
  const isEstimated = admission.rules.dayLimits?.tokens !== undefined;
  const estimatedBytes = isEstimated ? Buffer.byteLength(chosen.request.body) : null;
  const { isZeroRetention } = admission;
  const attemptsMs = after?.attemptsMs ?? admission.options.limits.attemptsMs;
  const limits = { ...admission.options.limits, attemptsMs };
  const events = client.streamChat(chosen.request, { ...keys.forClient, limits }, keys.again, signal);
  const question = partsOfQuestion(chosen, prepared.fitted.outgoing);
  const secrets = choice === 'send-as-is' || prepared.isAsIs ? 'as-is' : 'mask';
  return {
    outgoing,
    admitted,
    facts: {
      model,
      headers,
      isZeroRetention,
      secrets,
      destination,
      origin,
      masked: chosen.masked.length,
      repeated: repeatsOf({ parts: question }),
      changesOnly: changesOf({ parts: question }),
      ...(chosen.leftOut.length === 0 ? {} : { leftOut: chosen.leftOut }),
      ...(chosen.shortened === undefined ? {} : { shortened: chosen.shortened }),
    },
    attemptsMs,
    events: withAuditOutcome(
      { audit, logger: parts.logger },
      { request, origin, headers, estimatedBytes, retries: () => keys.retries },
      events,
    ),
  };
}

/** The record of a request, which is written before the request is sent. */
function intentOf(
  request: string,
  { action }: Outgoing,
  { admission }: Prepared,
  { chosen, wasShown }: { readonly chosen: Preview; readonly wasShown: boolean },
): AuditEntry {
  return {
    kind: 'request-intent',
    request,
    action,
    origin: admission.connection.origin,
    model: admission.options.model,
    headers: chosen.headers,
    files: chosen.files.length,
    bytes: Buffer.byteLength(chosen.request.body),
    maskings: chosen.masked.length,
    unmasked: chosen.unmasked.length,
    exclusions: chosen.excluded.length,
    ...recognitionIn(chosen),
    previewed: wasShown,
  };
}

function recognitionIn({ leftOut, recognition }: Preview) {
  const { is, files, recognized, others } = recognition;
  return {
    contentLeftOut: leftOut.length,
    recognition: is,
    excludedFiles: files,
    recognizedFiles: recognized,
    ...(others === 0 ? {} : { otherIgnoredFiles: others }),
  };
}

interface Decision {
  readonly prepared: Prepared;
  readonly choice: ConfirmationChoice;
  readonly wasShown: boolean;
}

/** Asks the user if necessary. The user's consent is for exactly what they saw: if that has changed since, asks again. */
async function decide(
  parts: BudgetedParts,
  outgoing: Outgoing,
  { confirmSend, signal, after }: Sending,
): Promise<Decision> {
  const reason = after === undefined ? {} : { resentBecause: after.resentBecause };
  let prepared = await prepare(parts, outgoing, signal);
  const isReady = isKeyReady(parts, prepared);
  // A missing key is reported before the user is asked about a request that cannot be sent.
  await keyFor(parts, prepared.admission.connection, signal);
  // The user may have signed in for it, while files and rules changed.
  if (!isReady) prepared = await prepare(parts, outgoing, signal);
  for (;;) {
    if (signal.aborted) throw abortedError();
    const request = confirmationOf(prepared);
    if (request === null) return { prepared, choice: 'send-masked', wasShown: false };
    const choice = await askedFor({ ...request, ...reason }, confirmSend, signal);
    const now = await prepare(parts, outgoing, signal);
    const isAllowed = choice !== 'send-as-is' || now.mayUnmask;
    // A request within an approved run was not shown, so the record must not claim a preview.
    const wasShown = choice !== 'send-as-agreed';
    if (isAllowed && now.fingerprint === prepared.fingerprint) return { prepared: now, choice, wasShown };
    prepared = now;
  }
}

/** Throws a DeclinedError if the user declines, or stops the request while they are asked. */
async function askedFor(
  request: ConfirmationRequest,
  confirmSend: ConfirmSend,
  signal: AbortSignal,
): Promise<ConfirmationChoice> {
  const choice = await confirmSend(request, signal).catch((thrown: unknown): ConfirmationChoice => {
    if (signal.aborted || asServiceError(thrown).kind === 'aborted') return 'cancel';
    throw thrown;
  });
  if (signal.aborted || choice === 'cancel') throw new DeclinedError(request);
  return choice;
}

/**
 * Resolves when the entry is on the disk, before the first byte is sent, and the daily limits allow it. Without required
 * evidence, an unwritable log only causes a warning.
 */
async function recordIntent(
  { audit, reserve, logger }: DispatchParts,
  { admission }: Prepared,
  entry: AuditEntry,
  afterWait: () => Promise<void>,
): Promise<void> {
  const { dayLimits, isAuditRequired } = admission.rules;
  const record = (): Promise<unknown> => audit.record(entry);
  const reserved = async (): Promise<void> => {
    await afterWait();
    await record();
  };
  try {
    await (dayLimits === null ? record() : reserve(dayLimits, reserved));
  } catch (error) {
    if (isAuditRequired) throw error;
    logger.warn('The audit log could not be written; it is not required, so the request is sent.');
  }
}
