import { isFrom } from '../../../util/errorKinds.ts';
import type { ServiceError } from '../../../util/errors.ts';

/** The first pause in milliseconds after a temporary error. Each further error without a success in between doubles it. */
const firstWait = 30_000;
const firstWaitAfterRateLimit = 60_000;
/** The maximum length of a doubled pause in milliseconds, so that completions recover without user action. */
const maxWait = 600_000;
/** The maximum pause in milliseconds if the service asks for a longer one. */
const maxRequestedWait = 3_600_000;

/** A pause in requests, and its reason. */
export interface Pause {
  /** Epoch milliseconds; infinite if only a change of settings, key, policy or trust can help. */
  readonly until: number;
  /** Whether it applies to all documents or only to one. */
  readonly where: 'everywhere' | 'document';
  /** Consecutive errors, including this one. */
  readonly faults: number;
  readonly error: ServiceError;
}

/**
 * Returns the pause after the `faults`-th consecutive failed completion. The user did not request the completion
 * explicitly, so the failure is never shown as an error. Returns null if no pause follows.
 */
export function pauseAfter(error: ServiceError, now: number, faults: number): Pause | null {
  const pause = (where: Pause['where'], first: number): Pause => ({
    until: now + waitMs(error, first, faults),
    where,
    faults,
    error,
  });
  const forGood: Pause = { until: Number.POSITIVE_INFINITY, where: 'everywhere', faults, error };
  if (isFrom(error, 'user')) return null;
  if (isFrom(error, 'transport') || isFrom(error, 'machine')) return pause('everywhere', firstWait);
  switch (error.kind) {
    // Applies only to this document; checking it again needs no request.
    case 'gate':
      return error.code === 'untrusted' ? forGood : null;
    case 'auth':
    case 'permission':
      return error.code === 'page' ? pause('everywhere', firstWait) : forGood;
    case 'policy':
      return forGood;
    case 'request':
      if (error.status === 404) return forGood;
      return pause(isAboutContent(error) ? 'document' : 'everywhere', firstWait);
    case 'rateLimit':
      return pause('everywhere', firstWaitAfterRateLimit);
  }
}

/** Whether the service accepts requests, but not this one. */
function isAboutContent({ status, code }: ServiceError): boolean {
  if (code === 'quota') return false;
  return code === 'context-length' || code === 'content-filter' || [400, 413, 422].includes(status ?? 0);
}

/**
 * The delay that the service asks for takes precedence. From the second error in a row, it is at least our own delay.
 */
function waitMs({ retryAfterMs }: ServiceError, first: number, faults: number): number {
  const ownDelay = Math.min(maxWait, first * 2 ** (faults - 1));
  if (retryAfterMs === undefined) return ownDelay;
  return Math.max(Math.min(retryAfterMs, maxRequestedWait), faults > 1 ? ownDelay : 0);
}
