import type { ServiceError } from '../../util/errors.ts';
import type { CommandAction, OwnAction } from './actions.ts';

/** Shows a result in one sentence, with the actions that the user can take next. */
type ShowResult = (words: string, ...actions: readonly (CommandAction | OwnAction)[]) => void;

/** Shows the result of a command to the user. */
export interface Outcomes {
  readonly info: ShowResult;
  readonly warning: ShowResult;
  /** Shows the result of a review, which always replaces the result of an earlier review. */
  readonly review: (isComplete: boolean, ...result: Parameters<ShowResult>) => void;
  /** Shows an error. Retry is offered only if there is a `retry`. */
  readonly failure: (error: ServiceError, host: string, retry?: () => unknown) => void;
}
