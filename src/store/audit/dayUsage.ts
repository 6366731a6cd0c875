import { bytesPerToken, countedTokens } from '../../send/budget/tokens.ts';
import type { AuditRecord } from './auditLine.ts';
import { LogTail, type LogTaker } from './logTail.ts';

/** A day in UTC, in milliseconds since the epoch. A local day would begin again with each change of the variable TZ. */
export interface Day {
  readonly start: number;
  readonly end: number;
}

const dayMs = 86_400_000;

export function dayOf(now: Date): Day {
  const start = Math.floor(now.getTime() / dayMs) * dayMs;
  return { start, end: start + dayMs };
}

/** The requests of a day, and their tokens, of which `estimated` were not counted by the service. */
export interface Usage {
  readonly requests: number;
  readonly tokens: number;
  readonly estimated: number;
}

export interface Tokens {
  readonly tokens: number;
  readonly isEstimated: boolean;
}

interface SentRequest {
  readonly at: number;
  tokens: Tokens;
}

/**
 * A file that was last changed so long before a day has no record of it, in milliseconds. Each file has the records of one day in
 * UTC, and the clock of a file server may differ.
 */
const skewMs = 48 * 3_600_000;

/**
 * Counts the requests of a day in the audit log of all windows. A log is read once, and then only what is added to it. A request
 * stays counted after its file was removed.
 */
export class DayUsage implements LogTaker {
  readonly #folder: string;
  #tail: LogTail | undefined;
  #start = 0;
  /** The requests since the start of the day, also those that a clock that was ahead dated to later days. */
  readonly #sent = new Map<string, SentRequest>();
  /** Outcomes whose requests are in a file that is read later. */
  readonly #outcomes = new Map<string, Tokens | null>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Throws errors of reading. One call at a time. */
  async read({ start, end }: Day): Promise<Usage> {
    // After the clock was set back, records count that were skipped before.
    if (this.#tail === undefined || start < this.#start) {
      this.#sent.clear();
      this.#tail = new LogTail(this.#folder, this, undefined, start - skewMs);
    }
    this.#start = start;
    for (const [request, { at }] of this.#sent) if (at < start) this.#sent.delete(request);
    await this.#tail.read();
    this.#outcomes.clear();
    const usage = { requests: 0, tokens: 0, estimated: 0 };
    for (const { at, tokens: found } of this.#sent.values()) {
      if (at >= end) continue;
      usage.requests += 1;
      usage.tokens += found.tokens;
      if (found.isEstimated) usage.estimated += found.tokens;
    }
    return usage;
  }

  take(_file: string, record: AuditRecord | null): void {
    if (record?.kind === 'request-intent') {
      const at = Date.parse(record.time);
      if (!(at >= this.#start) || this.#sent.has(record.request)) return;
      this.#sent.set(record.request, { at, tokens: this.#outcomes.get(record.request) ?? estimateOf(record) });
    } else if (record?.kind === 'request-outcome') {
      const tokens = tokensOf(record);
      const sent = this.#sent.get(record.request);
      if (sent === undefined) this.#outcomes.set(record.request, tokens);
      else if (tokens !== null) sent.tokens = tokens;
    }
  }

  drop(): void {
    // A request stays counted after its record was removed.
  }

  done(): void {
    // Records are counted one by one.
  }
}

type OutcomeTokens = Pick<
  Extract<AuditRecord, { kind: 'request-outcome' }>,
  'totalTokens' | 'promptTokens' | 'completionTokens' | 'estimatedTokens'
>;

/** The tokens of a request and its answer; null if nothing but the size of the request is known. */
export function tokensOf({ estimatedTokens, ...usage }: OutcomeTokens): Tokens | null {
  const counted = countedTokens(usage);
  if (counted !== undefined) return { tokens: wholeOf(counted), isEstimated: false };
  return estimatedTokens === undefined ? null : { tokens: wholeOf(estimatedTokens), isEstimated: true };
}

/** The estimate for a request whose answer is not there yet, or was not counted. */
export function estimateOf({ bytes }: { readonly bytes: number }): Tokens {
  return { tokens: wholeOf(bytes / bytesPerToken), isEstimated: true };
}

function wholeOf(value: number): number {
  return Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, Math.ceil(value)));
}
