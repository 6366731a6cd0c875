import { ServiceError } from '../util/errors.ts';
import type { PolicyProblem } from './requestPolicy.ts';

/**
 * The settings forbid a request. `problems` has the settings, their layers and the allowed values; the message does
 * not.
 */
export class PolicyError extends ServiceError<'policy'> {
  readonly problems: readonly PolicyProblem[];

  constructor(problems: readonly PolicyProblem[]) {
    super('policy', `Blocked by ${problems.map(({ key, reason }) => `${key} (${reason})`).join(', ')}.`, {
      code: 'settings',
    });
    this.problems = problems;
  }
}
