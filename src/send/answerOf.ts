import { isServiceError, type ServiceError, withFacts } from '../util/errors.ts';
import type { ContextBudget } from './budget/contextBudget.ts';
import { isRefusal } from './form/blame.ts';
import { FormSearch } from './form/formSearch.ts';
import type { KnownForm, LearnedForms } from './form/learnedForms.ts';
import type { RequestLimit } from './form/requestLimit.ts';
import { sentForm } from './form/sentForm.ts';
import { type Outgoing, withChoice } from './outgoing.ts';
import type { Begin, Refused, Sent } from './sent.ts';
import type { DispatchEvent } from './withAuditOutcome.ts';

interface AnswerParts {
  readonly budget: ContextBudget;
  readonly begin: Begin;
  readonly learned: LearnedForms;
  /** The whole request, and the form in which it was sent first. */
  readonly base: Outgoing;
  readonly known: KnownForm;
  readonly limit: RequestLimit;
}

/**
 * The answer to a request. If the service refuses its form before any part of an answer arrives, it is sent again without
 * what was refused: see FormSearch. If it exceeds the context window, it is sent again once, shorter. All of these requests
 * count toward the limit of one press of Send.
 */
export async function* answerOf(first: Sent, parts: AnswerParts): AsyncGenerator<readonly DispatchEvent[]> {
  const { begin, learned, budget, base, known, limit } = parts;
  const search = new FormSearch(learned, base, known);
  let sent = first;
  let isShorter = false;
  let requests = 1;
  for (;;) {
    const startedAt = performance.now();
    let isAccepted = false;
    try {
      for await (const batch of sent.events) {
        if (!isAccepted && batch.some(isOfAnswer)) {
          isAccepted = true;
          search.accepted(sent);
          const { admission, fitted } = sent.admitted.prepared;
          budget.accepted(admission, fitted);
          yield formEvents(parts, sent, search, { requests, isShorter });
        }
        yield batch;
        const readsLess = readsLessIn(batch, sent, budget);
        if (readsLess !== null) yield [readsLess];
      }
      return;
    } catch (thrown) {
      const declared = declaredDespite(thrown, sent, budget);
      const error = declared === undefined ? thrown : withFacts(thrown as ServiceError, { reason: String(declared) });
      const attemptsMs = sent.attemptsMs - (performance.now() - startedAt);
      if (isAccepted) throw error;
      // This runs even if no further request is allowed: what the refusal names is remembered.
      const next = isRefusal(error) ? search.next(error, sent) : null;
      if (attemptsMs <= 0 || limit.left === 0) throw error;
      if (!isShorter && isTooLong(error, sent, budget)) {
        isShorter = true;
        limit.take();
        requests += 1;
        sent = await beginShorter(begin, { sent, attemptsMs, resentBecause: 'too-long' }, error);
        yield [sentAgainShorter(sent, budget, declared)];
        continue;
      }
      if (next === null || !limit.take()) throw error;
      requests += 1;
      sent = await begin(withChoice(next, sent.facts), { sent, attemptsMs, resentBecause: search.form });
    }
  }
}

/** The events that tell the caller in which form the service accepted the request. */
function formEvents(
  { base, known }: AnswerParts,
  sent: Sent,
  { form }: FormSearch,
  repeated: { readonly requests: number; readonly isShorter: boolean },
): readonly DispatchEvent[] {
  const isWithoutTools = base.offer !== undefined && sent.outgoing.offer === undefined;
  const facts = sentForm(base, sent, { before: known.form, form, ...repeated });
  return [
    ...(isWithoutTools ? [{ type: 'without-tools' } as const] : []),
    ...(facts === null ? [] : [{ type: 'in-form', ...facts } as const]),
  ];
}

/** Whether the request exceeds the model's context window, and a shorter one can be made. */
function isTooLong(error: unknown, { admitted }: Sent, budget: ContextBudget): boolean {
  if (!isServiceError(error) || error.code !== 'context-length') return false;
  const { admission, fitted } = admitted.prepared;
  return budget.refused(admission, fitted, error.contextTokens);
}

function declaredDespite(error: unknown, { admitted }: Sent, budget: ContextBudget): number | undefined {
  if (!isServiceError(error) || error.code !== 'context-length') return undefined;
  const { admission, fitted } = admitted.prepared;
  return budget.declaredDespite(admission, fitted, error.contextTokens);
}

/** Sends a shorter request. If nothing can be left out of the question, the service's own error helps the user most. */
async function beginShorter(begin: Begin, refused: Refused, refusal: unknown): Promise<Sent> {
  try {
    return await begin(withChoice(refused.sent.outgoing, refused.sent.facts), refused);
  } catch (error) {
    throw isServiceError(error) && error.code === 'question-too-long' ? refusal : error;
  }
}

function sentAgainShorter(
  { facts, admitted }: Sent,
  budget: ContextBudget,
  declared: number | undefined,
): DispatchEvent {
  const window = budget.windowOf(admitted.prepared.admission);
  return {
    type: 'sent-again-shorter',
    ...(facts.shortened === undefined ? {} : { shortened: facts.shortened }),
    ...(window === undefined ? {} : { window }),
    ...(declared === undefined ? {} : { declared }),
  };
}

/** Returns an event if the service counted far fewer tokens than were sent: it may not have read all of them. */
function readsLessIn(batch: readonly DispatchEvent[], { admitted }: Sent, budget: ContextBudget): DispatchEvent | null {
  const usage = batch.findLast((event) => event.type === 'usage')?.usage;
  if (usage === undefined) return null;
  const { admission, fitted } = admitted.prepared;
  const found = budget.counted(admission, fitted, usage.promptTokens);
  return found === null ? null : { type: 'reads-less', ...found };
}

/** Whether an event is part of an answer. After those that come with the headers or before them, an error may follow. */
function isOfAnswer({ type }: DispatchEvent): boolean {
  return type !== 'response' && type !== 'retry-wait';
}
