import type { JsonObject } from '../../client/answer/answerShape.ts';
import { isObject } from '../../client/answer/answerShape.ts';
import { maxToolCalls } from '../../policy/managed/toolRules.ts';
import type { StopCode } from '../../util/errorKinds.ts';
import { sha256Hex } from '../../util/sha256.ts';

/** A call that has ended since the turn began or the user last continued it. */
export interface PastCall {
  readonly key: string;
  /** Whether it was run and succeeded. */
  readonly isDone: boolean;
  /** The number of changes before it to what calls find. */
  readonly version: number;
}

/** The resources that a turn has used since it began or the user last continued it. */
export interface Used {
  readonly calls: number;
  readonly requests: number;
  /** The number that the service counted, else an estimate. */
  readonly tokens: number;
}

/** The treatment of a call: a repeated call gets a hint first, then a refusal, and then ends the turn. */
export type NextCall = 'run' | 'as-before' | 'refuse' | 'stop';

export const turnLimits = { calls: maxToolCalls, requests: 30, tokens: 1_000_000 } as const;

/** The number of calls in a row without success that ends the turn. */
export const maxFailures = 6;
/** The number of the last calls that are compared, and the minimum number of different calls among them. */
const circle = { calls: 12, different: 4 } as const;
/** The number of calls before their limit at which the model is told; of requests, it is one. */
const callsToTell = 5;

/** Identifies a call: its name and its input, whatever the order of its fields. */
export function callKey(name: string, input: JsonObject): string {
  return sha256Hex(`${name}\n${canonical(input)}`);
}

function canonical(input: JsonObject): string {
  try {
    return JSON.stringify(input, (_, value: unknown) => (isObject(value) ? sorted(value) : value));
  } catch {
    // The input is so deep that no tool accepts it: all such inputs are treated as the same call.
    return 'too deep';
  }
}

function sorted(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The number of times that a call without success may be made again after another call has succeeded. */
const maxRetries = 2;

/**
 * A call that was made before has the same result if nothing has changed since. One that never succeeded may do so after another
 * call, such as an edit after its file was read.
 */
export function nextCall(past: readonly PastCall[], { key, version }: Pick<PastCall, 'key' | 'version'>): NextCall {
  const isSame = (call: PastCall): boolean => call.key === key && call.version === version;
  const same = past.filter(isSame);
  const since = past.slice(past.findLastIndex(({ isDone }) => isDone) + 1).filter(isSame);
  const firstDone = same.findIndex(({ isDone }) => isDone);
  const times =
    firstDone >= 0 ? same.length - firstDone : since.length + Math.max(0, same.length - since.length - maxRetries);
  return (['run', 'as-before', 'refuse'] as const)[times] ?? 'stop';
}

/** Returns the reason why a turn ends before its next request or call, or null if it continues. */
export function whyStop(past: readonly PastCall[], used: Used, limits: Used = turnLimits): StopCode | null {
  for (const limit of ['calls', 'requests', 'tokens'] as const) {
    if (used[limit] >= limits[limit]) return limit;
  }
  const failures = past.length - 1 - past.findLastIndex(({ isDone }) => isDone);
  if (failures >= maxFailures) return 'failures';
  const last = past.slice(-circle.calls);
  if (last.length === circle.calls && new Set(last.map(({ key }) => key)).size < circle.different) return 'circle';
  return null;
}

/** Whether few calls or requests are left. */
export function isEndNear({ calls, requests }: Used, limits: Used = turnLimits): boolean {
  return calls >= limits.calls - callsToTell || requests >= limits.requests - 1;
}
