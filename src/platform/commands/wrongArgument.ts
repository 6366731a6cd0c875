import { ServiceError } from '../../util/errors.ts';

/** A URI argument of a command: a string, or the components of a URI. Not validated yet. */
export type UriArgument =
  | string
  | {
      readonly scheme: string;
      readonly authority: string;
      readonly path: string;
      readonly query: string;
      readonly fragment: string;
    };

/**
 * `reason` is in the user's language. It names the argument and the allowed values, never the value passed, which may be
 * anything.
 */
export function wrongArgument(reason: string): ServiceError {
  return new ServiceError('request', 'A command was called with a wrong argument.', { code: 'wrong-argument', reason });
}
