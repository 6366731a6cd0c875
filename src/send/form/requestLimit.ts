/** The maximum number of requests for one press of Send, whatever the causes; retries of the client have their own limit. */
export const mostRequests = 6;

/**
 * Counts what one press of Send sends beyond its first request: without what the service refused, shorter, for a call or
 * for code that was cut. The rounds of tool calls are no repetition, and are not counted.
 */
export class RequestLimit {
  #left = mostRequests - 1;

  get left(): number {
    return this.#left;
  }

  /** Returns false if no further request may be sent. */
  take(): boolean {
    if (this.#left === 0) return false;
    this.#left -= 1;
    return true;
  }
}
