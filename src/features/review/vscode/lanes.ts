/** The number of parallel requests before the service shows that it accepts more. */
export const startInFlight = 4;
/**
 * After a refusal, the limit rises by one when this many times as many requests were accepted as may run in parallel.
 */
const patience = 3;

/** One running request. */
export interface Lane {
  /**
   * The time until which the service has asked the request to wait, in epoch milliseconds; 0 while the service answers
   * it.
   */
  waitsUntil: number;
  wasRefused: boolean;
  wasAccepted: boolean;
}

/**
 * Limits how many requests of a review run in parallel. Each request that the service accepts raises the limit by one,
 * up to the setting, until the service refuses a request as one too many. Then the limit falls to the number that it
 * was answering, and rises again only rarely.
 */
export class Lanes {
  readonly #max: number;
  readonly #now: () => number;
  readonly #lanes = new Set<Lane>();
  #limit: number;
  /** The number of refusals by the service. */
  #refusals = 0;
  #acceptedSince = 0;

  constructor(max: number, now: () => number = Date.now) {
    this.#max = Math.max(1, max);
    this.#limit = Math.min(this.#max, startInFlight);
    this.#now = now;
  }

  get hasRoom(): boolean {
    return this.#lanes.size < this.#limit;
  }

  enter(): Lane {
    const lane = { waitsUntil: 0, wasRefused: false, wasAccepted: false };
    this.#lanes.add(lane);
    return lane;
  }

  leave(lane: Lane): void {
    this.#lanes.delete(lane);
  }

  /**
   * Called when a request waits before its next attempt. `isRefusal`: because the service accepts no more requests at
   * the moment.
   */
  waits(lane: Lane, { delayMs, isRefusal }: { readonly delayMs: number; readonly isRefusal: boolean }): void {
    lane.waitsUntil = this.#now() + delayMs;
    // Further refusals of the same request show nothing new: the other requests continue, and no further ones are sent.
    if (isRefusal && !lane.wasRefused) this.refused(lane);
  }

  /**
   * Called when the service does not accept this request in addition to the others. Returns whether it is answering
   * others.
   */
  refused(lane: Lane): boolean {
    const others = [...this.#lanes].filter((one) => one !== lane && one.waitsUntil <= this.#now());
    lane.wasRefused = true;
    this.#limit = Math.max(1, Math.min(this.#limit, others.length));
    this.#refusals += 1;
    this.#acceptedSince = 0;
    return others.length > 0;
  }

  /** Called when the service has begun to answer a request. */
  accepted(lane: Lane): void {
    lane.waitsUntil = 0;
    if (lane.wasAccepted) return;
    lane.wasAccepted = true;
    this.#acceptedSince += 1;
    const needed = this.#refusals === 0 ? 1 : this.#limit * patience * this.#refusals;
    if (this.#acceptedSince < needed) return;
    this.#acceptedSince = 0;
    this.#limit = Math.min(this.#max, this.#limit + 1);
  }
}
