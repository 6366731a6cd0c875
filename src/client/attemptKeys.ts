import type { ServiceError } from '../util/errors.ts';
import type { RenewKey } from './chat.ts';

/** The key of the attempts of one request: one that the service refuses is renewed once. */
export class AttemptKeys {
  now: string;
  /** The time that the renewal took, in milliseconds: a user may have had to sign in. */
  renewalMs = 0;
  #renew: RenewKey | undefined;

  constructor(first: string, renew: RenewKey | undefined) {
    this.now = first;
    this.#renew = renew;
  }

  /** Whether the request can be sent again with another key. A web page that answers 401 does not refuse the key. */
  async renew({ kind, status, code }: ServiceError): Promise<boolean> {
    const renew = this.#renew;
    if (renew === undefined || kind !== 'auth' || status !== 401 || code !== undefined) return false;
    this.#renew = undefined;
    const startedAt = performance.now();
    const next = await renew(this.now);
    this.renewalMs = performance.now() - startedAt;
    if (next === null) return false;
    this.now = next;
    return true;
  }
}
