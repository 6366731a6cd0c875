import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { benchFolder } from '../localDispatch.ts';
import { typingRows } from './typing.ts';

/** A wait that users feel, beside a plain reference of the same run. */
export interface Row {
  readonly what: string;
  readonly measured: string;
  readonly reference: string;
  /** Measured to reference. */
  readonly ratio: number;
  readonly limit: string;
  readonly isMet: boolean;
}

/**
 * Prints the waits that users feel, and writes test-results/bench/felt.json. Returns the exit code: 1 if a limit is
 * missed and `check` is set.
 */
export async function feltBench({ check, rounds }: { check: boolean; rounds: string }): Promise<number> {
  const rows = [...(await typingRows(Number(rounds)))];
  for (const { what, measured, reference, ratio, limit, isMet } of rows) {
    const beside = `${ratio.toFixed(2)} x the plain provider: ${reference}`;
    console.log(`${isMet ? 'met   ' : 'MISSED'} ${what}: ${measured}, ${beside} (at most ${limit})`);
  }
  mkdirSync(benchFolder, { recursive: true });
  writeFileSync(join(benchFolder, 'felt.json'), `${JSON.stringify({ rounds, rows }, null, 2)}\n`);
  return check && rows.some(({ isMet }) => !isMet) ? 1 : 0;
}
