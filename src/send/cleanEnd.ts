import { isServiceError } from '../util/errors.ts';
import { streamEnd } from '../util/whyCut.ts';
import type { DispatchEvent } from './withAuditOutcome.ts';

/**
 * The events of an answer. If it ends cleanly without a finish reason of the service, that is its reason instead of
 * an error: the text may be whole.
 */
export async function* withCleanEnd(
  events: AsyncGenerator<readonly DispatchEvent[]>,
): AsyncGenerator<readonly DispatchEvent[]> {
  try {
    yield* events;
  } catch (error) {
    if (!isServiceError(error) || error.kind !== 'interrupted' || error.details.isClean !== true) throw error;
    yield [{ type: 'finish', finishReason: streamEnd }];
  }
}
