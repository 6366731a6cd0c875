import type { JsonObject } from '../../client/answer/answerShape.ts';
import { isObject } from '../../client/answer/answerShape.ts';
import { sha256Hex } from '../../util/sha256.ts';

/** A call that has ended since the turn began or the user last continued it. */
export interface PastCall {
  readonly key: string;
  readonly outcome: 'done' | 'refused' | 'failed' | 'repeated';
  /** Whether it changed what other calls find. */
  readonly changes: boolean;
}

/** The resources that a turn has used since it began or the user last continued it. */
export interface Used {
  readonly calls: number;
  readonly requests: number;
  /** The number that the service counted, else an estimate. */
  readonly tokens: number;
  /** The number of the last requests in a row whose call was cut off at the maximum length. */
  readonly cut: number;
}

export type StopReason = 'calls' | 'requests' | 'tokens' | 'cut' | 'failures' | 'same-call' | 'circle';

/** The treatment of a call: a repeated call gets a hint first, then a refusal, and then ends the turn. */
export type NextCall = 'run' | 'as-before' | 'refuse' | 'stop';

export const turnLimits = { calls: 60, requests: 30, tokens: 1_000_000, cut: 2 } as const;

/** The number of calls in a row without success that ends the turn. */
const maxFailures = 6;
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
    // The input is so deep that no tool accepts it: all such inputs count as the same call.
    return 'too deep';
  }
}

function sorted(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A call that was made before has the same result if nothing has changed since. */
export function nextCall(past: readonly PastCall[], key: string): NextCall {
  const since = past.slice(past.findLastIndex(({ changes }) => changes) + 1);
  const times = since.filter((call) => call.key === key).length;
  return (['run', 'as-before', 'refuse'] as const)[times] ?? 'stop';
}

/** Returns the reason why a turn ends before its next request or call, or null if it continues. */
export function whyStop(past: readonly PastCall[], used: Used): StopReason | null {
  for (const limit of ['calls', 'requests', 'tokens', 'cut'] as const) {
    if (used[limit] >= turnLimits[limit]) return limit;
  }
  const failures = past.length - 1 - past.findLastIndex(({ outcome }) => outcome === 'done');
  if (failures >= maxFailures) return 'failures';
  const last = past.slice(-circle.calls);
  if (last.length === circle.calls && new Set(last.map(({ key }) => key)).size < circle.different) return 'circle';
  return null;
}

/** Whether the model is told now that few calls or requests are left. It is told once, when the limit comes near. */
export function isEndNear(before: Used, now: Used): boolean {
  const isNear = ({ calls, requests }: Used): boolean =>
    calls >= turnLimits.calls - callsToTell || requests >= turnLimits.requests - 1;
  return isNear(now) && !isNear(before);
}
