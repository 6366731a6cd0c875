import type { ServiceError } from '../../util/errors.ts';

/** The first wait after a fault that may pass, in ms; each that follows without a success between is twice as long, ... */
const firstWait = 30_000;
const firstWaitAfterRateLimit = 60_000;
/** ... up to this: what was mended is noticed without the user's doing. */
const longestWait = 600_000;
/** A service may ask for more, but is asked again in the end. */
const longestAskedFor = 3_600_000;

/** Why nothing is asked for a while. */
export interface Pause {
  /** Epoch, milliseconds; infinite where only a change of settings, key, policy or trust can help. */
  readonly until: number;
  /** Is it about one document alone? */
  readonly where: 'everywhere' | 'document';
  /** Faults in a row, this one included. */
  readonly faults: number;
  readonly error: ServiceError;
}

/**
 * What follows from a failed completion, the `faults`-th in a row: nobody asked for it by name, so it is never shown as an
 * error. null where nothing does.
 */
export function pauseAfter(error: ServiceError, now: number, faults: number): Pause | null {
  const pause = (where: Pause['where'], first: number): Pause => ({
    until: now + waitMs(error, first, faults),
    ...{ where, faults, error },
  });
  const forGood: Pause = { until: Number.POSITIVE_INFINITY, where: 'everywhere', faults, error };
  switch (error.kind) {
    case 'aborted':
      return null;
    // About this document alone: looked at again without a request.
    case 'gate':
      return error.code === 'untrusted' ? forGood : null;
    case 'auth':
    case 'permission':
    case 'policy':
      return forGood;
    case 'request':
      if (error.status === 404) return forGood;
      return pause(isAboutContent(error) ? 'document' : 'everywhere', firstWait);
    case 'rateLimit':
      return pause('everywhere', firstWaitAfterRateLimit);
    case 'certificate':
    case 'proxy':
    case 'network':
    case 'timeout':
    case 'server':
    case 'protocol':
    case 'interrupted':
    case 'storage':
    case 'internal':
      return pause('everywhere', firstWait);
  }
}

/** The service takes requests, but not this one. */
function isAboutContent({ status }: ServiceError): boolean {
  return status === 400 || status === 413 || status === 422;
}

/** What the service asks for counts where it says something; where it says so again and again, not less than our own. */
function waitMs({ retryAfterMs }: ServiceError, first: number, faults: number): number {
  const own = Math.min(longestWait, first * 2 ** (faults - 1));
  if (retryAfterMs === undefined) return own;
  return Math.max(Math.min(retryAfterMs, longestAskedFor), faults > 1 ? own : 0);
}
