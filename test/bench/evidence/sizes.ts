import { spawnSync } from 'node:child_process';
import { rmSync, statSync } from 'node:fs';
import type { Row } from './row.ts';

/** In kB. */
const limits = { program: 115, vsix: 1_000 } as const;

export async function sizesRow(): Promise<Row> {
  rmSync('svc-coder.vsix', { force: true });
  // It also fails if the VSIX is too large for its own limit.
  spawnSync('npm', ['run', '--silent', 'package'], { stdio: 'pipe' });
  const [program, vsix] = [kilobytes('dist/verify.mjs'), kilobytes('svc-coder.vsix')];
  return {
    bar: `size: verify.mjs <= ${limits.program} kB, VSIX <= ${limits.vsix} kB`,
    measured: `verify.mjs ${program.toFixed(0)} kB, VSIX ${vsix.toFixed(0)} kB`,
    isMet: program <= limits.program && vsix <= limits.vsix,
  };
}

function kilobytes(path: string): number {
  return statSync(path).size / 1000;
}
