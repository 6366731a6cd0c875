import { ServiceError } from '../../util/errors.ts';
import { whyCut } from '../../util/whyCut.ts';

/** Returns the error for an incomplete or empty answer, or null for a complete one. Text that is already shown stays. */
export function incompleteEnd(
  finishReason: string | undefined,
  hasParts: boolean,
  origin: string,
): ServiceError<'protocol'> | null {
  const cut = whyCut(finishReason);
  const about = cut === null ? { origin } : { origin, details: { cut } };
  switch (cut) {
    case 'length':
      return new ServiceError('protocol', 'The answer was cut off.', { code: 'cut', ...about });
    case 'filter':
      return new ServiceError('protocol', 'The service filtered the answer.', { code: 'filtered', ...about });
    case 'other':
      return new ServiceError('protocol', 'The answer is incomplete.', {
        code: 'doubtful-end',
        reason: finishReason,
        ...about,
      });
    case null:
      return hasParts ? null : new ServiceError('protocol', 'The answer is empty.', { code: 'empty', ...about });
  }
}

export function requireWhole(finishReason: string | undefined, hasParts: boolean, origin: string): void {
  const error = incompleteEnd(finishReason, hasParts, origin);
  if (error !== null) throw error;
}
