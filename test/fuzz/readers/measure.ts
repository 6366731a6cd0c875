import { measured, processorMs, turnsOf } from '../../tools/processorTime.ts';
import type { Reader } from './reader.ts';

/** Processor time in milliseconds. */
export interface Cost {
  readonly ms: number;
  /** The longest step between two chances to pause; null if it has none. */
  readonly longestMs: number | null;
}

/** What one call costs. An error that says what is wrong with the text is an answer; a fault of the code is not. */
export async function costOf({ call }: Reader, read: (...args: never[]) => unknown, given: string): Promise<Cost> {
  const from = processorMs();
  try {
    const result = call(read, given);
    if (isGenerator(result)) {
      const { longestMs } = measured(result);
      return { ms: processorMs() - from, longestMs };
    }
    if (result instanceof Promise) {
      const begun = processorMs() - from;
      const { ms, longestMs } = await turnsOf(() => result);
      return { ms: begun + ms, longestMs: Math.max(begun, longestMs) };
    }
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError || !(error instanceof Error)) throw error;
  }
  return { ms: processorMs() - from, longestMs: null };
}

function isGenerator(value: unknown): value is Generator<null, unknown> {
  return typeof value === 'object' && value !== null && Object.prototype.toString.call(value) === '[object Generator]';
}
