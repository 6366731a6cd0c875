import { ServiceError } from '../../util/errors.ts';

/** A URI that a command was called with: as text, or the parts of one. Not yet known to be one. */
export type UriArgument =
  | string
  | {
      readonly scheme: string;
      readonly authority: string;
      readonly path: string;
      readonly query: string;
      readonly fragment: string;
    };

/** `reason` says which argument, and what is allowed there; never what was passed, which may be anything. */
export function wrongArgument(reason: string): ServiceError {
  return new ServiceError('request', 'A command was called with a wrong argument.', { code: 'wrong-argument', reason });
}
