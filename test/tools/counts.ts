import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The parts of `npm test` that count tests. */
export const rings = ['unit', 'contract', 'integration', 'e2e'] as const;
export type Ring = (typeof rings)[number];

export interface Failure {
  readonly title: string;
  /** The error message, of any length. */
  readonly message: string;
}

export interface Count {
  readonly passed: number;
  readonly failures: readonly Failure[];
}

const folder = resolve('test-results', 'counts');

function fileOf(ring: Ring): string {
  return join(folder, `${ring}.json`);
}

/** Removes the figures of an earlier run, so that they are not taken for figures of a part that wrote none. */
export function clearCount(ring: Ring): void {
  rmSync(fileOf(ring), { force: true });
}

/** Writes the figures of a ring for the summary at the end. */
export function writeCount(ring: Ring, { passed, failures }: Count): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(ring), JSON.stringify({ passed, failures }));
}

/** Returns undefined if the ring did not run to its end. */
export function readCount(ring: Ring): Count | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(ring), 'utf8'));
  } catch {
    return undefined;
  }
}
