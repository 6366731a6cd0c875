import { ServiceError } from '../../util/errors.ts';
import type { NetworkOptions } from './network.ts';

/**
 * Certificates are always checked. If the environment disables the checks, an error is better than ignoring it
 * silently.
 */
export function assertChecksAreOn(url: URL, { env }: NetworkOptions): void {
  if (url.protocol !== 'https:' || env?.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return;
  throw new ServiceError('certificate', 'NODE_TLS_REJECT_UNAUTHORIZED=0 would turn off the check of certificates.', {
    code: 'tls-check-off',
  });
}
