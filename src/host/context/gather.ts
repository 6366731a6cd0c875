import type { Uri } from 'vscode';
import type { Covered } from '../../gate/content.ts';
import { ServiceError } from '../../util/errors.ts';
import { folderOf } from '../config/settingsReader.ts';
import type { ReadFiles } from '../sources/ignored/exclusions.ts';

/** Why a file (its URI) may not leave, in words; null where it may. `known` is for many questions at a time. */
export type WhyExcluded = (uri: string, known?: ReadFiles) => Promise<string | null>;

/** Does at most `limit` things at a time, and keeps their order. */
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

export function coveredBy(uri: Uri): Covered {
  return { uri: uri.toString(), folder: folderOf(uri) };
}

/** There is nothing to attach: `what` is the name a person knows it by. */
export function nothingIn(what: string): ServiceError {
  return new ServiceError('gate', 'There is nothing to attach.', { code: 'nothing-there', file: what });
}
