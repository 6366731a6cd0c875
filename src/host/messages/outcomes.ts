import type { ServiceError } from '../../util/errors.ts';
import type { CommandAction } from './actions.ts';

/** Shows the result of a command to the user. */
export interface Outcomes {
  readonly info: (words: string, ...actions: readonly CommandAction[]) => void;
  readonly warning: (words: string, ...actions: readonly CommandAction[]) => void;
  /** Without a `retry`, none is offered. */
  readonly failure: (error: ServiceError, host: string, retry?: () => unknown) => void;
}
