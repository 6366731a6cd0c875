import { isFrom } from '../util/errorKinds.ts';
import { type ServiceError, withFacts } from '../util/errors.ts';

/** The error of a request, with the origin that it was sent to: it is shown later, when another address may be set. */
export function sentTo(error: ServiceError, origin: string): ServiceError {
  const wasSent = isFrom(error, 'service') || isFrom(error, 'transport');
  return wasSent && error.origin === undefined ? withFacts(error, { origin }) : error;
}
