import { ServiceError } from '../util/errors.ts';
import type { RenewKey } from './chat.ts';

/** The key of the attempts of one request: one that the service refuses is renewed once. */
export class AttemptKeys {
  now: string;
  /** The time in milliseconds that the renewal took: a user may have had to sign in. */
  renewalMs = 0;
  readonly #renew: RenewKey | undefined;
  #isRenewed = false;

  constructor(first: string, renew: RenewKey | undefined) {
    this.now = first;
    this.#renew = renew;
  }

  /**
   * Whether the request can be sent again with another key. A web page that answers 401 does not refuse the key. Throws the
   * failure, as one of the credential helper, if the service refuses what that gives.
   */
  async renew(failure: ServiceError): Promise<boolean> {
    const renew = this.#renew;
    const { kind, status, code } = failure;
    if (renew === undefined || kind !== 'auth' || status !== 401 || code !== undefined) return false;
    if (this.#isRenewed) throw ofHelper(failure);
    this.#isRenewed = true;
    const startedAt = performance.now();
    const next = await renew(this.now);
    this.renewalMs = performance.now() - startedAt;
    if (next === null) throw ofHelper(failure);
    this.now = next;
    return true;
  }
}

function ofHelper({ message, status, requestId, serviceMessage, origin }: ServiceError): ServiceError {
  return new ServiceError('auth', message, { code: 'helper-refused', status, requestId, serviceMessage, origin });
}
