import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildVerify } from '../../esbuild.mjs';

/** Builds verify.mjs into a folder; returns its path. */
export async function buildVerifyProgram(folder: string): Promise<string> {
  await buildVerify(folder);
  return join(folder, 'verify.mjs');
}

export interface ProgramResult {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
}

/** Runs verify.mjs as a process of a Node. */
export function runProgram(program: string, args: readonly string[], node = process.execPath): ProgramResult {
  const { status, stdout, stderr } = spawnSync(node, [program, ...args], { encoding: 'latin1', timeout: 60_000 });
  return { code: status, out: stdout, error: stderr };
}
