/** So many requests are sent at once before the service shows that it takes more. */
export const startInFlight = 4;
/** After a refusal, one more request is tried when so many times as many were accepted as run at once. */
const patience = 3;

/** One running request. */
export interface Lane {
  /** Epoch, in milliseconds, up to which the service has asked it to wait; 0 while the service answers it. */
  waitsUntil: number;
  wasRefused: boolean;
  wasAccepted: boolean;
}

/**
 * How many requests of a review run at once. Each one that the service accepts allows one more, up to the setting,
 * until it refuses a request as one too many: then only as many as it was answering, and one more is tried rarely.
 */
export class Lanes {
  readonly #most: number;
  readonly #now: () => number;
  readonly #lanes = new Set<Lane>();
  #limit: number;
  /** How often the service has refused. */
  #refusals = 0;
  #acceptedSince = 0;

  constructor(most: number, now: () => number = Date.now) {
    this.#most = Math.max(1, most);
    this.#limit = Math.min(this.#most, startInFlight);
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

  /** A request waits before its next attempt. `isRefusal`: because the service takes no more requests now. */
  waits(lane: Lane, { delayMs, isRefusal }: { readonly delayMs: number; readonly isRefusal: boolean }): void {
    lane.waitsUntil = this.#now() + delayMs;
    // Its further refusals say nothing new: the others go on meanwhile, and no further ones are sent.
    if (isRefusal && !lane.wasRefused) this.refused(lane);
  }

  /** The service does not take this request beside the others. Returns whether it is answering others. */
  refused(lane: Lane): boolean {
    const others = [...this.#lanes].filter((one) => one !== lane && one.waitsUntil <= this.#now());
    lane.wasRefused = true;
    this.#limit = Math.max(1, Math.min(this.#limit, others.length));
    this.#refusals += 1;
    this.#acceptedSince = 0;
    return others.length > 0;
  }

  /** The service has begun to answer a request. */
  accepted(lane: Lane): void {
    lane.waitsUntil = 0;
    if (lane.wasAccepted) return;
    lane.wasAccepted = true;
    this.#acceptedSince += 1;
    const needed = this.#refusals === 0 ? 1 : this.#limit * patience * this.#refusals;
    if (this.#acceptedSince < needed) return;
    this.#acceptedSince = 0;
    this.#limit = Math.min(this.#most, this.#limit + 1);
  }
}
