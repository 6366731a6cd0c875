import { type BlockingFiles, ServiceError } from '../util/errors.ts';
import type { ManagedProblem } from './managed/fileValues.ts';
import type { PolicyProblem } from './requestPolicy.ts';

/**
 * The error if the settings forbid a request. `problems` has the settings, their layers and the allowed values; the message
 * does not. Without the files in `blockingFiles`, the settings would allow it.
 */
export class PolicyError extends ServiceError<'policy'> {
  readonly problems: readonly PolicyProblem[];

  constructor(problems: readonly PolicyProblem[], blockingFiles: BlockingFiles = {}) {
    super('policy', `Blocked by ${problems.map(({ key, reason }) => `${key} (${reason})`).join(', ')}.`, {
      code: 'settings',
      details: blockingFiles,
    });
    this.problems = problems;
  }
}

/** The error if the administrator's file cannot be used. */
export class ManagedPolicyError extends ServiceError<'policy'> {
  readonly problem: ManagedProblem;

  constructor(file: string, problem: ManagedProblem) {
    super('policy', `The managed policy cannot be used (${problem.reason}).`, { code: 'managed-broken', file });
    this.problem = problem;
  }
}
