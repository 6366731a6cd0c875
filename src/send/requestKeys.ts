import type { ChatKey } from '../client/chat.ts';
import { type Admitted, requireSameUser } from './admitAgain.ts';
import { type DispatchParts, keyFor } from './dispatchParts.ts';
import type { RequestLimit } from './form/requestLimit.ts';

interface KeyOptions {
  /** Throws a ServiceError if the request may no longer be sent, or has changed. */
  readonly stillAdmitted: () => Promise<void>;
  /** Runs a check; records what it throws as a refusal of this request. */
  readonly watch: (check: () => Promise<void>) => Promise<void>;
  readonly limit: RequestLimit | undefined;
  readonly signal: AbortSignal;
}

/** The attempts of one request: their keys, and their number. */
export class RequestKeys {
  readonly #parts: DispatchParts;
  readonly #admitted: Admitted;
  readonly #options: KeyOptions;
  /** The number of the last attempt after a wait. */
  #waited = 0;
  /** The number of attempts with a new key, because the service refused the first one. */
  #renewals = 0;

  constructor(parts: DispatchParts, admitted: Admitted, options: KeyOptions) {
    this.#parts = parts;
    this.#admitted = admitted;
    this.#options = options;
  }

  /** Returns the key of the first attempt and, if a credential helper makes the keys, the way to the next ones. */
  get forClient(): Omit<ChatKey, 'limits'> {
    const { apiKey, helperId, prepared } = this.#admitted;
    if (helperId === null) return { apiKey };
    const { connection } = prepared.admission;
    return {
      apiKey,
      currentKey: async () => this.#ofSameUser(await keyFor(this.#parts, connection, this.#options.signal)),
      renewKey: (refused) => this.#renew(refused),
    };
  }

  /** Admits the request again for an attempt after a wait. */
  readonly again = async (attempt: number): Promise<void> => {
    await this.#options.stillAdmitted();
    this.#waited = attempt;
  };

  get retries(): number {
    return this.#waited + this.#renewals;
  }

  async #renew(refused: string): Promise<string | null> {
    const { limit, signal, stillAdmitted } = this.#options;
    if (limit?.left === 0) return null;
    const { connection } = this.#admitted.prepared.admission;
    const key = (await this.#parts.helpers?.renew(connection, refused, signal)) ?? null;
    if (key === null || limit?.take() === false) return null;
    await stillAdmitted();
    await this.#ofSameUser(key);
    this.#renewals += 1;
    return key;
  }

  /** Returns the key. Throws a ServiceError if it is for a different user from that of the first key. */
  async #ofSameUser(key: string): Promise<string> {
    await this.#options.watch(async () => requireSameUser(this.#parts, this.#admitted, key));
    return key;
  }
}
