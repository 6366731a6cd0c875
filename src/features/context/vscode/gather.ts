import type { ReadFiles } from '../../../platform/sources/ignored/exclusions.ts';
import { ServiceError } from '../../../util/errors.ts';

/**
 * Returns the reason why a file (its URI) is excluded, or null if it is not. `known` is a cache shared by many calls.
 */
export type WhyExcluded = (uri: string, known?: ReadFiles) => Promise<string | null>;

/** Maps items with at most `limit` calls in parallel; results keep the order of the items. */
export async function eachOf<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  let next = 0;
  const one = async (): Promise<void> => {
    while (next < items.length) {
      const index = next;
      next += 1;
      results[index] = await work(items[index] as T);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, one));
  return results;
}

/** The error for an empty source; `what` is its name in the user interface. */
export function nothingIn(what: string): ServiceError {
  return new ServiceError('gate', 'There is nothing to attach.', { code: 'nothing-there', file: what });
}
