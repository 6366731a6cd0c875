import { isServiceError, type ServiceError, withFacts } from '../../util/errors.ts';
import type { ContextBudget } from '../budget/contextBudget.ts';
import { targetOf } from '../budget/target.ts';
import { isRefusal, nextWithout, type RefusedExtras } from './extras.ts';
import { withChoice } from './outgoing.ts';
import type { Begin, Refused, Sent } from './sent.ts';
import type { DispatchEvent } from './withAuditOutcome.ts';

interface AnswerParts {
  readonly budget: ContextBudget;
  readonly begin: Begin;
  readonly refused: RefusedExtras;
  /** The caller offers tools. */
  readonly isOffering: boolean;
}

/**
 * The answer to a request. If the service refuses its form before anything of an answer arrives, it is sent again without
 * one extra after the other. The extra whose absence made the difference is remembered; the others are not. If it is longer
 * than the model reads, it is sent again once, shorter.
 */
export async function* answerOf(
  first: Sent,
  { begin, refused, budget, isOffering }: AnswerParts,
): AsyncGenerator<readonly DispatchEvent[]> {
  let sent = first;
  let left: Parameters<RefusedExtras['add']> | undefined;
  let isShorter = false;
  for (;;) {
    const startedAt = performance.now();
    let isAccepted = false;
    try {
      for await (const batch of sent.events) {
        if (!isAccepted && batch.some(isOfAnswer)) {
          isAccepted = true;
          if (left !== undefined) refused.add(...left);
          if (isOffering && sent.outgoing.offer === undefined) yield [{ type: 'without-tools' }];
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
      if (isAccepted || attemptsMs <= 0) throw error;
      const { admission } = sent.admitted.prepared;
      if (!isShorter && isTooLong(error, sent, budget)) {
        isShorter = true;
        sent = await beginShorter(begin, { sent, attemptsMs, because: 'too-long' }, error);
        yield [sentAgainShorter(sent, budget, declared)];
        continue;
      }
      const next = isRefusal(error) ? nextWithout(sent) : undefined;
      if (next === undefined) throw error;
      left = [targetOf(admission.connection, admission.options), next.extra];
      sent = await begin(withChoice(next.outgoing, sent.facts), { sent, attemptsMs, because: next.extra });
    }
  }
}

/** The request is longer than the model reads, and a shorter one can be made. */
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

/** If nothing can be left out of the question, the service's own error helps the user most. */
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

/** The service counted far fewer tokens than were sent: it may not have read all of them. */
function readsLessIn(batch: readonly DispatchEvent[], { admitted }: Sent, budget: ContextBudget): DispatchEvent | null {
  const usage = batch.findLast((event) => event.type === 'usage')?.usage;
  if (usage === undefined) return null;
  const { admission, fitted } = admitted.prepared;
  const found = budget.counted(admission, fitted, usage.promptTokens);
  return found === null ? null : { type: 'reads-less', ...found };
}

/** What comes with the headers, or before them, is not part of an answer yet: an error may follow. */
function isOfAnswer({ type }: DispatchEvent): boolean {
  return type !== 'response' && type !== 'retry-wait';
}
