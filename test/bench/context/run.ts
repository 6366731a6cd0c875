import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { estimateBench } from './estimate.ts';
import { fittingBench } from './fitting.ts';
import { repeatsBench } from './repeats.ts';

const folder = fileURLToPath(new URL('../../../test-results/bench', import.meta.url));

/**
 * Prints what it costs to keep a conversation within what a model reads. Writes test-results/bench/context.json. Returns
 * the exit code: 1 if a limit is missed and `check` is set.
 */
export async function contextBench({ check, rounds }: { check: boolean; rounds: string }): Promise<number> {
  const fitting = await fittingBench(Number(rounds));
  const repeats = await repeatsBench();
  const estimate = await estimateBench();
  mkdirSync(folder, { recursive: true });
  const results = { node: process.versions.node, rounds, fitting, repeats, estimate };
  writeFileSync(join(folder, 'context.json'), `${JSON.stringify(results, null, 2)}\n`);
  return check && !(fitting.isMet && repeats.isMet && estimate.isMet) ? 1 : 0;
}
