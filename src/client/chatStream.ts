import { abortedError, ServiceError } from '../util/errors.ts';
import { AnswerReader } from './answer/answerReader.ts';
import { AttemptKeys } from './attemptKeys.ts';
import { type ClientParts, filterFor, sendOnce } from './call.ts';
import type { AdmitAgain, ChatEvent, ChatKey } from './chat.ts';
import { type PlannedWait, RetryPlan, startWait } from './retry.ts';
import { fromTransportError, interruptedBy, requestIdOf, withResponse } from './serviceError.ts';
import { type TimeLimits, Watchdog } from './timeouts.ts';
import type { TransportResponse } from './transport/transport.ts';
import type { WireChat } from './wireRequest.ts';

type Batch = readonly ChatEvent[];

/**
 * The time in milliseconds to wait for the end of the response after [DONE]. Many services send the end in a separate packet; a
 * connection that reaches it is reused, which saves the next request a handshake.
 */
const lingerMs = 50;
/**
 * The number of bytes decoded at a time. Tiny events expand about a hundredfold, and objects that survive a garbage
 * collection grow the heap permanently: pieces of 128 KiB use a third more memory after 400,000 chunks.
 */
const maxPieceBytes = 4 * 1024;
const nothing = new Uint8Array();
/** Statuses of success without an answer. Gateways also answer with 201, and proxies that change a body with 203. */
const bodiless: ReadonlySet<number> = new Set([204, 205]);

/** The only request that carries content: a WireChat, which can be made only from a policy. */
export interface ChatClient {
  streamChat(
    request: WireChat,
    key: ChatKey,
    admitAgain: AdmitAgain,
    signal: AbortSignal,
  ): AsyncGenerator<readonly ChatEvent[]>;
}

/**
 * Requests one chat completion and yields its events, one batch per network read, across as many attempts as the rules allow.
 * Calls `admitAgain` before each attempt that follows a wait. Before the first delta a failure may be retried, shown as a
 * `retry-wait` whose time starts when it is yielded; a refused key is renewed once, without a wait. After it, any failure is thrown as `interrupted`, and the yielded events
 * remain valid. Throws ServiceError; yields nothing after a cancel. Leaving the loop, or aborting, closes the socket.
 */
export async function* streamChat(
  shared: ClientParts,
  request: WireChat,
  { apiKey: firstKey, currentKey, renewKey, limits: requestLimits }: ChatKey,
  admitAgain: AdmitAgain,
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  const { cooldowns, rules, clockAndRandom } = shared;
  const limits = { ...shared.limits, ...requestLimits };
  const parts = { ...shared, limits };
  const keys = new AttemptKeys(firstKey, renewKey);
  const deadline = clockAndRandom.now() + limits.attemptsMs;
  const plan = new RetryPlan({ rules, cooldowns, clockAndRandom, deadline, url: request.url });

  let wait = plan.cooldown();
  for (;;) {
    let isEarly = false;
    const waitedFor = wait?.attempt;
    while (wait !== undefined) {
      isEarly = (yield* waitFor(wait, signal)) === 'cut-short';
      // The user's Retry now applies only to this request; an elapsed wait may have been extended in the meantime.
      wait = isEarly ? undefined : plan.cooldown();
    }
    if (waitedFor !== undefined) {
      await admitAgain(waitedFor);
      keys.now = (await currentKey?.()) ?? keys.now;
      if (signal.aborted) throw abortedError();
    }
    const attempt = new Attempt(parts, request, { apiKey: keys.now, deadline: deadline + keys.renewalMs }, signal);
    try {
      const begun = await attempt.send();
      // The service accepts requests again, earlier than it had announced.
      if (isEarly) plan.endCooldown();
      yield begun;
      for (let batch = await attempt.read(); batch !== undefined; batch = await attempt.read()) yield batch;
      return;
    } catch (error) {
      const failure = attempt.explain(error);
      if (signal.aborted || failure.kind === 'aborted') throw abortedError();
      // An invalid tool call is not an interruption: continuing the answer would not help.
      const isWrongCall = failure.code === 'tool-call' || failure.code === 'tool-call-cut';
      if (attempt.hasDelta && !isWrongCall) throw interruptedBy(failure);
      wait = (await keys.renew(failure)) ? undefined : plan.afterFailure(failure);
      if (signal.aborted) throw abortedError();
    } finally {
      attempt.dispose();
    }
  }
}

async function* waitFor({ attempt, delayMs, error }: PlannedWait, signal: AbortSignal) {
  if (signal.aborted) throw abortedError();
  const { ended, retryNow } = startWait(delayMs, signal);
  try {
    const batch: Batch = [{ type: 'retry-wait', attempt, delayMs, error, retryNow }];
    yield batch;
    const how = await ended;
    if (signal.aborted) throw abortedError();
    return how;
  } finally {
    retryNow();
  }
}

/**
 * Sends the request once and reads its answer; must be disposed in every case. Uses methods instead of generators: each
 * generator that an event passes through costs more than decoding it.
 */
class Attempt {
  readonly #parts: ClientParts;
  readonly #request: WireChat;
  readonly #apiKey: string;
  readonly #watchdog: Watchdog;
  #response: TransportResponse | undefined;
  #answer: Answer | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(
    parts: ClientParts,
    request: WireChat,
    { apiKey, deadline }: { readonly apiKey: string; readonly deadline: number },
    signal: AbortSignal,
  ) {
    this.#parts = parts;
    this.#request = request;
    this.#apiKey = apiKey;
    this.#watchdog = new Watchdog(signal);
    const { limits, clockAndRandom } = parts;
    // An answer that is not streamed sends nothing while it is generated.
    if (!request.isStreamed) this.#watchdog.start('answer', limits.answerMs);
    else {
      this.#watchdog.start('attempts', deadline - clockAndRandom.now());
      this.#watchdog.start('first-token', limits.firstTokenMs);
    }
  }

  /** True once part of the answer has been yielded: it is then kept, not requested again. */
  get hasDelta(): boolean {
    return this.#answer?.reader.hasDelta ?? false;
  }

  async send(): Promise<Batch> {
    this.#watchdog.signal.throwIfAborted();
    const filter = await filterFor(this.#parts, this.#apiKey);
    this.#response = await sendOnce(this.#parts, this.#request, this.#apiKey, filter, this.#watchdog);
    const { limits, maxAnswerBytes } = this.#parts;
    this.#watchdog.noteAnswered();
    if (this.#request.isStreamed) this.#watchdog.start('answer', limits.answerMs);
    const { status, headers, body } = this.#response;
    const reader = new AnswerReader({
      contentType: String(headers['content-type'] ?? ''),
      filter,
      maxBytes: maxAnswerBytes,
    });
    this.#answer = {
      reader,
      pieces: body[Symbol.asyncIterator](),
      keepTime: timekeeper(reader, this.#watchdog, limits),
      unread: nothing,
      isFinished: bodiless.has(status),
    };
    if (bodiless.has(status)) {
      const error = new ServiceError('protocol', `The answer has status ${status}.`, { code: 'no-content' });
      this.#failure = { error };
    }
    const requestId = requestIdOf(headers);
    return [{ type: 'response', status, ...(requestId === undefined ? {} : { requestId }) }];
  }

  /** Returns the next events, or undefined at the end. Events decoded before a failure are returned before it. */
  async read(): Promise<Batch | undefined> {
    const answer = this.#answer;
    while (answer?.isFinished === false) {
      const { reader, pieces, keepTime } = answer;
      const events: ChatEvent[] = [];
      keepTime();
      try {
        const { signal } = this.#watchdog;
        signal.throwIfAborted();
        if (answer.unread.length === 0) {
          const { done, value } = await pieces.next();
          signal.throwIfAborted();
          answer.isFinished = done === true;
          answer.unread = done === true ? nothing : value;
        }
        if (answer.isFinished) reader.end(events);
        else reader.push(answer.unread.subarray(0, maxPieceBytes), events);
        answer.unread = answer.unread.subarray(maxPieceBytes);
      } catch (error) {
        answer.isFinished = true;
        this.#failure = breakOff(reader, error, events);
      }
      if (events.length > 0) return events;
    }
    if (this.#failure !== undefined) throw this.#failure.error;
    return undefined;
  }

  explain(error: unknown): ServiceError {
    const failure = fromTransportError(error);
    return this.#response === undefined ? failure : withResponse(failure, this.#response);
  }

  dispose(): void {
    this.#watchdog.dispose();
    this.#response?.destroy();
    // Ending the iterator also ends a decoder between us and the socket.
    this.#answer?.pieces.return?.().catch(() => {});
  }
}

/**
 * Returns the error of an answer whose body broke off, or undefined if the answer is complete. Nothing is shown after a
 * cancel. After a finish_reason the answer is complete, however the connection ends.
 */
function breakOff(reader: AnswerReader, error: unknown, events: ChatEvent[]): { readonly error: unknown } | undefined {
  if (fromTransportError(error).kind === 'aborted') return { error };
  try {
    return reader.breakOff(events) ? undefined : { error };
  } catch (wrongCall) {
    return { error: wrongCall };
  }
}

interface Answer {
  readonly reader: AnswerReader;
  readonly pieces: AsyncIterator<Uint8Array, unknown, undefined>;
  readonly keepTime: () => void;
  /** The part of the last piece that is not decoded yet. */
  unread: Uint8Array;
  isFinished: boolean;
}

/**
 * Returns a function to call before each read: it switches between limits as the answer proceeds. After a finish reason, the
 * end is near; if text followed the reason, or none had preceded it, the next piece gets more time.
 */
function timekeeper(reader: AnswerReader, watchdog: Watchdog, limits: TimeLimits): () => void {
  let phase: 'waiting' | 'flowing' | 'trailing' | 'ending' = 'waiting';
  let sizeBefore = 0;
  return () => {
    if (phase === 'waiting' && reader.hasBegun) {
      phase = 'flowing';
      watchdog.stop('first-token');
      watchdog.start('stall', limits.betweenBytesMs);
    }
    if (phase === 'flowing') {
      watchdog.restart('stall');
      if (reader.hasPiece) watchdog.stop('attempts');
    }
    if (reader.isDone) {
      // Later reads do not restart this timer, so a service that keeps sending gains no time.
      if (phase !== 'ending') watchdog.start('trailing', Math.min(limits.trailingMs, lingerMs));
      phase = 'ending';
    } else if (reader.endState !== 'open') {
      const size = reader.size;
      if (phase === 'trailing' && size === sizeBefore) return;
      phase = 'trailing';
      sizeBefore = size;
      watchdog.start('trailing', reader.endState === 'stated' ? limits.trailingMs : limits.unclearEndMs);
    }
  };
}
