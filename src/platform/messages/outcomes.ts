import type { ServiceError } from '../../util/errors.ts';
import type { CommandAction, OwnAction } from './actions.ts';

/** A result in one sentence, with what the user can do then. */
type Tell = (words: string, ...actions: readonly (CommandAction | OwnAction)[]) => void;

/** Shows the result of a command to the user. */
export interface Outcomes {
  readonly info: Tell;
  readonly warning: Tell;
  /** The result of a review, which replaces that of an earlier one, whatever the two say. */
  readonly review: (isComplete: boolean, ...told: Parameters<Tell>) => void;
  /** Without a `retry`, none is offered. */
  readonly failure: (error: ServiceError, host: string, retry?: () => unknown) => void;
}
