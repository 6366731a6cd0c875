import type { Layer, PolicyProblem } from './requestPolicy.ts';
import { resolveSetting } from './resolveSetting.ts';
import type { SettingKey } from './settings.ts';

/** The time limits in milliseconds of a request that the user sets. */
export interface ChosenLimits {
  /** The time until the connection is established, TLS included. */
  readonly connectMs: number;
  /** The time from sending the request until the first delta. An answer that is not streamed arrives as a whole. */
  readonly firstTokenMs: number;
  /** The time between two reads of a running answer; comments are activity, too. */
  readonly betweenBytesMs: number;
  /**
   * The time of all attempts and waits together, until the first delta. An answer that is not streamed may exceed it; a wait
   * must not.
   */
  readonly attemptsMs: number;
  /** The time of one answer, from its first byte to its last one; from sending the request if it is not streamed. */
  readonly answerMs: number;
}

type LimitsResolution =
  | { readonly ok: true; readonly limits: ChosenLimits }
  | { readonly ok: false; readonly problems: readonly PolicyProblem[] };

/** Reads the limits, which are settings in seconds. One attempt always has at least the time for its first token. */
export function resolveTimeLimits(layers: readonly Layer[]): LimitsResolution {
  const problems: PolicyProblem[] = [];
  const read = (key: Extract<SettingKey, `svc.request.timeout.${string}`>): number => {
    const resolved = resolveSetting(layers, key);
    if (!resolved.ok) problems.push(resolved.problem);
    return resolved.ok ? Number(resolved.value) * 1000 : 0;
  };
  const firstTokenMs = read('svc.request.timeout.firstToken');
  const limits = {
    connectMs: read('svc.request.timeout.connect'),
    firstTokenMs,
    betweenBytesMs: read('svc.request.timeout.betweenBytes'),
    attemptsMs: Math.max(firstTokenMs, read('svc.request.timeout.attempts')),
    answerMs: read('svc.request.timeout.answer'),
  };
  return problems.length > 0 ? { ok: false, problems } : { ok: true, limits };
}
