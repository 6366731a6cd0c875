import type { Framework } from '../../../policy/compliance/compliance.ts';
import { readAnswer } from '../../../review/answer/readAnswer.ts';
import { rulesFor } from '../../../review/catalogue.ts';
import type { Finding, LostFinding } from '../../../review/findings/finding.ts';
import { bySeverity } from '../../../review/findings/order.ts';
import { placeFindings } from '../../../review/findings/placed.ts';
import type { Gap, NotReviewed, ReviewReport } from '../../../review/report.ts';
import type { Receipt } from '../../../session/conversation/receipt.ts';
import type { ConfirmationChoice, ConfirmSend } from '../../../session/dispatch/confirmation.ts';
import type { Dispatch } from '../../../session/dispatch/dispatch.ts';
import { isServiceError, type ServiceError } from '../../../util/errors.ts';
import { sha256 } from '../../../util/sha256.ts';
import { outgoingFor, type Plan, type PlannedRequest, type ReviewTarget } from './plan.ts';

/** The maximum number of concurrent requests: a review must leave the service and its limits usable for others. */
export const maxInFlight = 4;
/** After this many consecutive failed requests, the run stops. */
const maxFailures = 4;

interface RunParts {
  readonly dispatch: Dispatch;
  readonly ask: ConfirmSend;
  readonly frameworks: readonly Framework[];
  /** The English name of the language of what the user reads; null or absent: English. */
  readonly language?: string | null;
  readonly signal: AbortSignal;
  /** Called when a request has ended, successfully or not. */
  readonly onProgress?: (ended: number, of: number) => void;
  readonly onReceipt?: (receipt: Receipt) => void;
}

/** The result of a run, before the comparison. */
type RunResult = Pick<
  ReviewReport,
  'frameworks' | 'model' | 'requests' | 'files' | 'findings' | 'uselessSuppressions' | 'notReviewed' | 'lost'
> & {
  /** The first error that kept a request from being answered; `aborted` if the user cancelled. */
  readonly error: ServiceError | null;
};

interface Outcome {
  readonly findings: readonly Finding[];
  readonly gaps: readonly Gap[];
  readonly lost: readonly LostFinding[];
}

/**
 * Sends the planned requests, at most four at a time. Never throws for a failed request: it becomes a gap with its
 * reason.
 */
export async function runReview(plan: Plan, parts: RunParts): Promise<RunResult> {
  const run = new ReviewRun(plan.requests, parts);
  await run.toEnd();
  const { outcomes, error } = run;
  const isCancelled = parts.signal.aborted || error?.kind === 'aborted';
  const left: Gap = { reason: isCancelled ? 'cancelled' : 'run-stopped' };
  const gathered = plan.targets.map((target) => gather(target, plan, outcomes, left));
  return {
    frameworks: parts.frameworks,
    model: run.model,
    requests: run.answered,
    files: gathered.map(({ file }) => file),
    findings: bySeverity(gathered.flatMap(({ findings }) => findings)),
    uselessSuppressions: gathered.flatMap(({ useless }) => useless),
    notReviewed: [...plan.gaps, ...gathered.flatMap(({ gaps }) => gaps)],
    lost: gathered.flatMap(({ lost }) => lost),
    error,
  };
}

class ReviewRun {
  readonly outcomes = new Map<PlannedRequest, Outcome>();
  model = '';
  answered = 0;
  error: ServiceError | null = null;
  readonly #requests: readonly PlannedRequest[];
  readonly #parts: RunParts;
  #next = 0;
  /** How many of the last requests failed, one after the other. */
  #failures = 0;
  #isStopped = false;

  constructor(requests: readonly PlannedRequest[], parts: RunParts) {
    this.#requests = requests;
    this.#parts = parts;
  }

  async toEnd(): Promise<void> {
    const workers = Math.min(maxInFlight, this.#requests.length);
    await Promise.all(Array.from({ length: workers }, () => this.#work()));
  }

  async #work(): Promise<void> {
    const { signal, onProgress } = this.#parts;
    for (let request = this.#requests[this.#next]; request !== undefined; request = this.#requests[this.#next]) {
      if (this.#isStopped || signal.aborted) return;
      this.#next += 1;
      try {
        this.outcomes.set(request, await this.#send(request));
      } catch (failure) {
        if (!isServiceError(failure)) throw failure;
        this.#fail(request, failure);
      }
      onProgress?.(this.outcomes.size, this.#requests.length);
    }
  }

  async #send(request: PlannedRequest): Promise<Outcome> {
    const { dispatch, ask, frameworks, language, signal, onReceipt } = this.#parts;
    const secrets = this.#requests.length === 1 ? 'ask' : 'mask';
    const sent = await dispatch.send(outgoingFor(request, frameworks, secrets, language), ask, signal);
    this.model = sent.model;
    let answer = '';
    let finishReason: string | undefined;
    for await (const batch of sent.events) {
      for (const event of batch) {
        if (event.type === 'text-delta') answer += event.text;
        else if (event.type === 'finish') finishReason = event.finishReason;
        else if (event.type === 'receipt') onReceipt?.(event.receipt);
      }
    }
    const names = [request.label, request.target.name];
    const read = readAnswer(answer, { rules: rulesFor(frameworks), names, finishReason });
    this.answered += 1;
    this.#failures = 0;
    return { findings: read.findings, gaps: read.problems.map((reason) => ({ reason })), lost: read.lost };
  }

  #fail(request: PlannedRequest, failure: ServiceError): void {
    if (failure.kind === 'aborted') {
      // Cancelling one request cancels the run.
      this.error = failure;
      this.#isStopped = true;
      return;
    }
    this.#failures += 1;
    this.error ??= failure;
    const gap: Gap = failure.code === 'excluded' ? { reason: 'excluded' } : failed(failure);
    this.outcomes.set(request, { findings: [], gaps: [gap], lost: [] });
    if (meetsAll(failure) || this.#failures >= maxFailures) this.#isStopped = true;
  }
}

/** The results of all requests about one file. */
function gather(target: ReviewTarget, plan: Plan, outcomes: ReadonlyMap<PlannedRequest, Outcome>, left: Gap) {
  const { name, uri, languageId } = target;
  const own = plan.requests.filter((request) => request.target === target);
  const gaps = own.flatMap((request): NotReviewed[] => {
    const outcome = outcomes.get(request) ?? { findings: [], gaps: [left], lost: [] };
    const { firstLine, lastLine } = request.part;
    const lines = request.isWhole ? {} : { lines: [firstLine, lastLine] as const };
    return outcome.gaps.map((gap) => ({ ...gap, file: name, ...lines, isPartial: outcome.findings.length > 0 }));
  });
  const findings = own.flatMap((request) => outcomes.get(request)?.findings ?? []);
  const lost = own
    .flatMap((request) => outcomes.get(request)?.lost ?? [])
    .map((each) => ({ ...each, file: name, uri }));
  const placed = placeFindings({ name, uri, languageId, text: target.content.text }, findings, sha256);
  const isComplete = gaps.length + lost.length === 0 && !plan.gaps.some(({ file }) => file === name);
  return {
    file: { name, uri, isComplete },
    findings: placed.findings,
    useless: placed.uselessSuppressions.map((useless) => ({ ...useless, file: name })),
    gaps,
    lost,
  };
}

/** Whether an error would affect every other request too. */
function meetsAll({ kind, code }: ServiceError): boolean {
  if (kind === 'gate') return code !== 'excluded' && code !== 'too-large';
  return kind === 'auth' || kind === 'permission' || kind === 'policy' || kind === 'rateLimit' || code === 'quota';
}

function failed({ kind, status, externalCode }: ServiceError): Gap {
  return { reason: 'request-failed', kind, detail: String(status ?? externalCode ?? '') };
}

/**
 * Asks the user about a run of many requests. If a layer of settings requires confirmation, the first request is shown,
 * and the answer holds for the others with the same destination and headers. If the administrator's file requires it,
 * each request is shown, one after the other.
 */
export function askForRun(ask: ConfirmSend, isEachShown: boolean): ConfirmSend {
  const agreed = new Map<string, Promise<ConfirmationChoice>>();
  let last: Promise<unknown> = Promise.resolve();
  return async (request, signal) => {
    const { model, headers, request: sent } = request.preview;
    const place = JSON.stringify([sent.url, model, headers]);
    const before = isEachShown ? undefined : agreed.get(place);
    if (before !== undefined) return (await before) === 'cancel' ? 'cancel' : 'send-as-agreed';
    const shown = last.then(() => (signal.aborted ? 'cancel' : ask(request, signal)));
    last = shown.catch(() => undefined);
    agreed.set(place, shown);
    return shown;
  };
}
