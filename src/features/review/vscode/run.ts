import { defaultRetryRules } from '../../../client/retry.ts';
import type { Framework } from '../../../policy/compliance/compliance.ts';
import { settings } from '../../../policy/settings.ts';
import { readAnswer } from '../../../review/answer/readAnswer.ts';
import { readFiles } from '../../../review/answer/readFiles.ts';
import { rulesFor } from '../../../review/catalog.ts';
import type { Gap } from '../../../review/report.ts';
import type { Rule } from '../../../review/rule.ts';
import type { ConfirmSend } from '../../../send/confirmation.ts';
import type { Dispatch } from '../../../send/dispatch.ts';
import type { Receipt } from '../../../send/message/receipt.ts';
import { isServiceError, type ServiceError } from '../../../util/errors.ts';
import { type Answer, type FailedRequest, failed, isCrowded, meetsAll, namedIn } from './failures.ts';
import { Lanes } from './lanes.ts';
import { Looks } from './looks.ts';
import {
  isOneFile,
  namesOf,
  outgoingFor,
  type Plan,
  type PlannedPart,
  type PlannedRequest,
  sizeOfRequest,
  smaller,
} from './plan.ts';
import { type FoundSoFar, Results, type RunResult } from './results.ts';

/** The number of consecutive failed requests after which the run stops. */
const maxFailures = 4;
/**
 * The number of answers about several files without a list for any of them, after which each file is asked about alone.
 */
const maxUnusable = 2;
/**
 * The maximum number of requests without an answer in between that seemed to fit and were refused as too long. After
 * it, no smaller request is tried.
 */
const maxTooLong = 10;
/**
 * The maximum number of times that a request is sent again because the service does not accept it in addition to
 * others, as long as none of these is answered.
 */
const maxRequeued = 2;

interface RunParts {
  readonly dispatch: Dispatch;
  readonly ask: ConfirmSend;
  readonly frameworks: readonly Framework[];
  /** The English name of the user's language; null or undefined for English. */
  readonly language?: string | null;
  readonly signal: AbortSignal;
  /** The maximum number of parallel requests: svc.review.parallel. */
  readonly parallel?: number;
  /** The maximum number of characters of files in a request. */
  readonly room?: number;
  /** Returns the maximum number of characters for a model that reads this number of tokens. */
  readonly roomIn?: (contextTokens: number) => number;
  /** Called with the results about some files, whenever there are new ones. */
  readonly onFound?: (found: FoundSoFar) => void;
  readonly onReceipt?: (receipt: Receipt) => void;
}

/**
 * Sends the planned requests, as many in parallel as the service accepts. Never throws for a failed request: its parts
 * are asked about in smaller requests, or become a gap with its reason.
 */
export async function runReview(plan: Plan, parts: RunParts): Promise<RunResult> {
  const run = new ReviewRun(plan, parts);
  await run.toEnd();
  return run.result();
}

class ReviewRun {
  readonly #parts: RunParts;
  readonly #rules: readonly Rule[];
  readonly #results: Results;
  readonly #lanes: Lanes;
  readonly #queue: PlannedRequest[];
  readonly #secrets: 'mask' | 'ask';
  readonly #requeued = new Map<PlannedRequest, number>();
  #model = '';
  #answered = 0;
  #error: ServiceError | null = null;
  #room: number;
  /** The number of consecutive failed requests. */
  #failures = 0;
  #unusable = 0;
  #tooLong = 0;
  #isStopped = false;
  #running = 0;
  readonly #ended = Promise.withResolvers<void>();

  constructor(plan: Plan, parts: RunParts) {
    this.#parts = parts;
    this.#rules = rulesFor(parts.frameworks);
    this.#results = new Results(plan, parts.onFound);
    this.#lanes = new Lanes(parts.parallel ?? settings['svc.review.parallel'].default);
    this.#queue = [...plan.requests];
    this.#room = parts.room ?? Number.POSITIVE_INFINITY;
    this.#secrets = isOneFile(plan) ? 'ask' : 'mask';
  }

  toEnd(): Promise<void> {
    this.#sendNext();
    return this.#ended.promise;
  }

  /** Sends as many requests as may run at the moment. */
  #sendNext(): void {
    while (this.#lanes.hasRoom && !this.#isStopped && !this.#parts.signal.aborted) {
      const request = this.#take();
      if (request === undefined) break;
      this.#running += 1;
      this.#send(request)
        .then(() => {
          this.#running -= 1;
          this.#sendNext();
        })
        .catch(this.#ended.reject);
    }
    if (this.#running === 0) this.#ended.resolve();
  }

  result(): RunResult {
    const isCancelled = this.#parts.signal.aborted || this.#error?.kind === 'aborted';
    return {
      frameworks: this.#parts.frameworks,
      model: this.#model,
      requests: this.#answered,
      error: this.#error,
      ...this.#results.all({ reason: isCancelled ? 'cancelled' : 'run-stopped' }),
    };
  }

  /** Returns the next request that fits. */
  #take(): PlannedRequest | undefined {
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      if (sizeOfRequest(next) <= this.#room || !this.#divide(next)) return next;
    }
    return undefined;
  }

  /** Puts smaller requests for the same parts first into the queue; returns false if there are none. */
  #divide(request: PlannedRequest): boolean {
    const divided = smaller(request, this.#room);
    if (divided === null) return false;
    this.#results.replace(request, divided);
    this.#queue.unshift(...divided.requests);
    return true;
  }

  async #send(request: PlannedRequest): Promise<void> {
    const { dispatch, ask, frameworks, language, signal, onReceipt } = this.#parts;
    const lane = this.#lanes.enter();
    const before = this.#answered;
    const answer: Answer = { text: '' };
    const looks = new Looks(() => this.#takeLists(request, answer.text, { isUnfinished: true }));
    try {
      const sent = await dispatch.send(outgoingFor(request, frameworks, this.#secrets, language), ask, signal);
      this.#model = sent.model;
      for await (const batch of sent.events) {
        for (const event of batch) {
          if (event.type === 'retry-wait') {
            this.#lanes.waits(lane, { delayMs: event.delayMs, isRefusal: event.attempt > 0 && isCrowded(event.error) });
            continue;
          }
          if (event.type === 'response') {
            this.#lanes.accepted(lane);
            this.#sendNext();
          } else if (event.type === 'text-delta') answer.text += event.text;
          else if (event.type === 'finish') answer.finishReason = event.finishReason;
          else if (event.type === 'receipt') onReceipt?.(event.receipt);
        }
        if (request.parts.length > 1) looks.soon();
      }
      this.#lanes.accepted(lane);
      this.#read(request, answer);
    } catch (failure) {
      if (!isServiceError(failure)) throw failure;
      this.#fail(request, failure, { answer, lane, hadAnswers: this.#answered > before });
    } finally {
      looks.stop();
      this.#lanes.leave(lane);
    }
  }

  #read(request: PlannedRequest, { text, finishReason }: Answer): void {
    this.#answered += 1;
    this.#failures = 0;
    this.#tooLong = 0;
    const [first] = request.parts;
    if (first === undefined) return;
    if (request.parts.length === 1) {
      const read = readAnswer(text, { rules: this.#rules, names: namesOf(first), finishReason });
      const gaps = read.problems.map((reason): Gap => ({ reason }));
      this.#results.set(first, { findings: read.findings, gaps, lost: read.lost });
      this.#results.show();
      return;
    }
    const again = this.#takeLists(request, text, { finishReason });
    if (again.length > 0) this.#askAgain(again, request, { reason: 'malformed' });
  }

  /** Records what an answer contains about each of several files. Returns the parts that it does not answer. */
  #takeLists(
    { parts }: PlannedRequest,
    text: string,
    how: { readonly finishReason?: string | undefined; readonly isUnfinished?: boolean },
  ): readonly PlannedPart[] {
    const files = parts.map(({ label, target }) => ({ name: label, text: target.content.text }));
    const read = readFiles(text, { finishReason: undefined, ...how, rules: this.#rules, files });
    const again = parts.filter((part, index) => {
      const { isAnswered = false, findings = [], problems = [], lost = [] } = read[index] ?? {};
      if (isAnswered) this.#results.set(part, { findings, gaps: problems.map((reason) => ({ reason })), lost });
      else if (how.isUnfinished !== true) this.#results.unset(part, findings);
      return !isAnswered;
    });
    this.#results.show();
    return again;
  }

  /**
   * Asks about parts again, with fewer of them in each request than before. `why`: the reason for the gap if that is no
   * longer possible.
   */
  #askAgain(parts: readonly PlannedPart[], before: PlannedRequest, why: Gap): void {
    this.#results.note(parts, why);
    if (parts.length < before.parts.length) {
      this.#queue.unshift({ parts });
      return;
    }
    this.#unusable += 1;
    const each = this.#unusable > maxUnusable ? 1 : Math.ceil(parts.length / 2);
    const requests: PlannedRequest[] = [];
    for (let index = 0; index < parts.length; index += each) requests.push({ parts: parts.slice(index, index + each) });
    this.#queue.unshift(...requests);
  }

  #fail(request: PlannedRequest, failure: ServiceError, how: FailedRequest): void {
    if (failure.kind === 'aborted') {
      // Cancelling one request cancels the run.
      this.#keep(request, how.answer, []);
      this.#error = failure;
      this.#isStopped = true;
      return;
    }
    if (this.#isRequeued(request, failure, how) || this.#isDivided(request, failure)) return;
    this.#error ??= failure;
    const named = namedIn(request, failure);
    if (named.length > 0) {
      for (const part of named) this.#results.set(part, { findings: [], gaps: [failed(failure)], lost: [] });
      const others = request.parts.filter((part) => !named.includes(part));
      if (others.length > 0) this.#queue.unshift({ parts: others });
      this.#results.show();
      return;
    }
    this.#failures += 1;
    if (meetsAll(failure) || this.#failures >= maxFailures) this.#isStopped = true;
    const again = this.#keep(request, how.answer, [failed(failure)]);
    if (again.length === 0) return;
    // A smaller request would not help in these cases.
    const isFinal = this.#isStopped || request.parts.length === 1 || failure.kind === 'network';
    if (!isFinal) {
      this.#askAgain(again, request, failed(failure));
      return;
    }
    for (const part of again) this.#results.set(part, { findings: [], gaps: [failed(failure)], lost: [] });
    this.#results.show();
  }

  /** Records what has arrived of an answer that was interrupted. Returns the parts that have no result. */
  #keep({ parts }: PlannedRequest, { text }: Answer, gaps: readonly Gap[]): readonly PlannedPart[] {
    if (text === '') return parts;
    const [first] = parts;
    if (first === undefined || parts.length > 1) return this.#takeLists({ parts }, text, { isUnfinished: true });
    const { findings } = readAnswer(text, { rules: this.#rules, names: namesOf(first), finishReason: 'length' });
    if (findings.length === 0) return parts;
    const reasons: readonly Gap[] = gaps.length > 0 ? gaps : [{ reason: 'cancelled' }];
    this.#results.set(first, { findings, gaps: reasons, lost: [] });
    this.#results.show();
    return [];
  }

  /** Whether a request is sent again after the others, because the service accepts fewer requests in parallel. */
  #isRequeued(request: PlannedRequest, failure: ServiceError, { lane, hadAnswers }: FailedRequest): boolean {
    if (!isCrowded(failure) || (failure.retryAfterMs ?? 0) > defaultRetryRules.longestWaitMs) return false;
    const isAnsweringOthers = this.#lanes.refused(lane);
    const times = this.#requeued.get(request) ?? 0;
    if (!hadAnswers && (!isAnsweringOthers || times >= maxRequeued)) return false;
    this.#requeued.set(request, times + 1);
    this.#queue.unshift(request);
    return true;
  }

  /**
   * Whether a request that is too long for the model, or too large, is sent in smaller requests. All requests after it
   * are smaller, too.
   */
  #isDivided(request: PlannedRequest, { code, file, contextTokens }: ServiceError): boolean {
    const isTooLong = code === 'context-length';
    if (!isTooLong && (code !== 'too-large' || file !== undefined)) return false;
    const size = sizeOfRequest(request);
    if (size <= this.#room) this.#tooLong += 1;
    if (this.#tooLong > maxTooLong) return false;
    const named = contextTokens === undefined ? undefined : this.#parts.roomIn?.(contextTokens);
    this.#room = Math.min(this.#room, Math.floor(size * 0.7), named ?? Math.floor(size / 2));
    return this.#divide(request);
  }
}
