import { policyHeaders } from '../policy/headers.ts';
import type { RequestPolicy } from '../policy/requestPolicy.ts';
import { abortedError, ServiceError } from '../util/errors.ts';
import { AnswerReader } from './answerReader.ts';
import { type Call, type ClientParts, sendOnce, urlOf } from './call.ts';
import type { ChatEvent, ChatRequest, Endpoint } from './chat.ts';
import { type PlannedWait, RetryPlan, startWait } from './retry.ts';
import { fromTransportError, interruptedBy, requestIdOf, withResponse } from './serviceError.ts';
import { type TimeLimits, Watchdog } from './timeouts.ts';
import type { TransportResponse } from './transport.ts';

type Batch = readonly ChatEvent[];

/**
 * Asks for one chat completion and yields its events, a batch for each network read, across as many attempts as the
 * rules allow. Before the first delta a failure may be retried, shown as a `retry-wait` whose time runs from its being
 * yielded. After it any failure is thrown as `interrupted`, and what was yielded stands. Throws ServiceError; after a
 * cancel nothing more is yielded. Leaving the loop, or aborting, closes the socket.
 */
export async function* streamChat(
  parts: ClientParts,
  endpoint: Endpoint,
  request: ChatRequest,
  policy: RequestPolicy,
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  const call = chatCall(request, policy);
  const { cooldowns, rules, chance, limits } = parts;
  const deadline = chance.now() + limits.attemptsMs;
  const plan = new RetryPlan({ rules, cooldowns, chance, deadline, origin: urlOf(endpoint, call).origin });

  let wait = plan.cooldown();
  for (;;) {
    while (wait !== undefined) {
      const how = yield* waitFor(wait, signal);
      // A person's Retry now counts for this request alone; a wait that ran out may have been prolonged meanwhile.
      wait = how === 'elapsed' ? plan.cooldown() : undefined;
    }
    const attempt = new Attempt(parts, endpoint, call, deadline);
    try {
      yield* attempt.run(signal);
      return;
    } catch (error) {
      const failure = fromTransportError(error);
      if (signal.aborted || failure.kind === 'aborted') throw abortedError();
      if (attempt.hasDelta) throw interruptedBy(failure);
      wait = plan.afterFailure(failure);
    }
  }
}

function chatCall({ model, messages, stream, maxTokens, temperature }: ChatRequest, policy: RequestPolicy): Call {
  return {
    method: 'POST',
    path: '/chat/completions',
    headers: {
      'content-type': 'application/json',
      accept: stream ? 'text/event-stream, application/json' : 'application/json',
      ...Object.fromEntries(policyHeaders(policy)),
    },
    // The interface document's fields and `stream`, nothing else: a field it does not know may be refused.
    body: JSON.stringify({
      model,
      messages: messages.map(({ role, content }) => ({ role, content })),
      ...(stream ? { stream } : {}),
      ...(maxTokens === null ? {} : { max_tokens: maxTokens }),
      ...(temperature === null ? {} : { temperature }),
    }),
  };
}

async function* waitFor({ attempt, delayMs, error }: PlannedWait, signal: AbortSignal) {
  if (signal.aborted) throw abortedError();
  const { over, retryNow } = startWait(delayMs, signal);
  try {
    const batch: Batch = [{ type: 'retry-wait', attempt, delayMs, error, retryNow }];
    yield batch;
    const how = await over;
    if (signal.aborted) throw abortedError();
    return how;
  } finally {
    retryNow();
  }
}

/** One sending of the request and the reading of its answer. */
class Attempt {
  readonly #parts: ClientParts;
  readonly #endpoint: Endpoint;
  readonly #call: Call;
  readonly #deadline: number;
  #reader: AnswerReader | undefined;

  constructor(parts: ClientParts, endpoint: Endpoint, call: Call, deadline: number) {
    this.#parts = parts;
    this.#endpoint = endpoint;
    this.#call = call;
    this.#deadline = deadline;
  }

  /** Some of the answer has been handed on: from here on it is kept, not asked for again. */
  get hasDelta(): boolean {
    return this.#reader?.hasDelta ?? false;
  }

  async *run(signal: AbortSignal): AsyncGenerator<Batch> {
    const { limits, chance } = this.#parts;
    const watchdog = new Watchdog(signal);
    watchdog.start('attempts', this.#deadline - chance.now());
    watchdog.start('first-token', limits.firstTokenMs);
    let response: TransportResponse | undefined;
    try {
      watchdog.signal.throwIfAborted();
      response = await sendOnce(this.#parts, this.#endpoint, this.#call, watchdog);
      watchdog.start('stream', limits.streamMs);
      const { status, headers } = response;
      const requestId = requestIdOf(headers);
      yield [{ type: 'response', status, ...(requestId === undefined ? {} : { requestId }) }];
      yield* this.#read(response, watchdog);
    } catch (error) {
      throw response === undefined ? error : withResponse(fromTransportError(error), response);
    } finally {
      watchdog.dispose();
      response?.destroy();
    }
  }

  async *#read(response: TransportResponse, watchdog: Watchdog): AsyncGenerator<Batch> {
    const { status, headers, body } = response;
    if (status !== 200) throw new ServiceError('protocol', `The answer has status ${status}.`, { code: 'no-content' });
    const reader = new AnswerReader({
      contentType: String(headers['content-type'] ?? ''),
      apiKey: this.#endpoint.apiKey,
      maxBytes: this.#parts.maxAnswerBytes,
    });
    this.#reader = reader;
    const keepTime = timekeeper(reader, watchdog, this.#parts.limits);
    try {
      for await (const bytes of body) {
        watchdog.signal.throwIfAborted();
        const events: ChatEvent[] = [];
        try {
          reader.push(bytes, events);
        } finally {
          // What was decoded before a failure counts.
          if (events.length > 0) yield events;
        }
        if (reader.isDone) return;
        keepTime();
      }
      watchdog.signal.throwIfAborted();
      const events: ChatEvent[] = [];
      try {
        reader.end(events);
      } finally {
        if (events.length > 0) yield events;
      }
    } catch (error) {
      // After a finish_reason the answer is complete, however the connection then ends; a cancel is still a cancel.
      if (!reader.isFinished || fromTransportError(error).kind === 'aborted') throw error;
    }
  }
}

/** To be called after each read: moves from limit to limit as the answer proceeds. */
function timekeeper(reader: AnswerReader, watchdog: Watchdog, limits: TimeLimits): () => void {
  let phase: 'waiting' | 'flowing' | 'trailing' = 'waiting';
  return () => {
    if (phase === 'waiting' && reader.hasBegun) {
      phase = 'flowing';
      watchdog.stop('first-token');
      watchdog.start('stall', limits.betweenBytesMs);
    }
    if (phase === 'flowing') {
      watchdog.restart('stall');
      if (reader.hasDelta) watchdog.stop('attempts');
    }
    if (phase !== 'trailing' && reader.isFinished) {
      phase = 'trailing';
      watchdog.start('trailing', limits.trailingMs);
    }
  };
}
