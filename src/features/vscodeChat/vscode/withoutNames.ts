import { type ServiceError, withFacts } from '../../../util/errors.ts';

/** Returns an error without the names of excluded files: its words are stored or sent by VS Code or another extension. */
export function withoutNames(error: ServiceError): ServiceError {
  const hasNames = error.kind === 'gate' && error.code === 'not-recognized';
  return hasNames ? withFacts(error, { file: undefined, reason: undefined }) : error;
}
