import { type ServiceError, type ServiceErrorKind, withFacts } from '../util/errors.ts';

/** Errors of the way to the service and back. All others are found before a request leaves. */
const ofTheWire: ReadonlySet<ServiceErrorKind> = new Set([
  'auth',
  'permission',
  'rateLimit',
  'request',
  'timeout',
  'network',
  'proxy',
  'certificate',
  'server',
  'protocol',
  'interrupted',
]);

/** The error of a request, with the origin that it was sent to: it is shown later, when another address may be set. */
export function sentTo(error: ServiceError, origin: string): ServiceError {
  return ofTheWire.has(error.kind) && error.origin === undefined ? withFacts(error, { origin }) : error;
}
