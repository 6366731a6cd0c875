import type { Measured } from './contender.ts';

/** Medians over all rounds. The first token is the time beyond the raw socket of the same round. */
export type Medians = Readonly<Record<'ours' | 'openai' | 'aiSdk' | 'plain' | 'floor', Measured>>;

export interface Target {
  readonly name: string;
  readonly value: number;
  readonly limit: number;
  readonly isMet: boolean;
}

/** The targets of the client, as ratios within one run. */
export function targets({ ours, openai, floor }: Medians): readonly Target[] {
  const atMost = (name: string, value: number, limit: number): Target => ({
    name,
    value,
    limit,
    isMet: value <= limit,
  });
  return [
    atMost('time for 100,000 chunks / openai (at least 3 x the throughput)', ours.bulkMs / openai.bulkMs, 1 / 3),
    atMost('time for 100,000 chunks / floor', ours.bulkMs / floor.bulkMs, 1.25),
    atMost('first token over the raw socket / openai', ours.firstTokenMs / openai.firstTokenMs, 0.35),
    atMost('peak memory / openai', ours.peakMiB / openai.peakMiB, 1),
    atMost('peak memory after many answers / openai', ours.repeatedPeakMiB / openai.repeatedPeakMiB, 1),
    atMost('cold start / openai', ours.coldMs / openai.coldMs, 1),
  ];
}
