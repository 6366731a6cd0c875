import type { ServiceError } from '../../util/errors.ts';
import type { CommandAction } from './actions.ts';

/** Where a command says what came of it. */
export interface Outcomes {
  readonly info: (words: string, ...actions: readonly CommandAction[]) => void;
  readonly warning: (words: string, ...actions: readonly CommandAction[]) => void;
  /** Without a `retry`, none is offered. */
  readonly failure: (error: ServiceError, host: string, retry?: () => unknown) => void;
}
