// npm run watch: bundles with source maps, and types, rebuilt whenever a source changes. Ctrl+C ends both.
import { spawn } from 'node:child_process';

const steps = [
  [process.execPath, ['esbuild.mjs', '--watch']],
  ['tsc', ['-p', 'tsconfig.json', '--watch', '--preserveWatchOutput']],
] as const;

const running = steps.map(([program, args]) =>
  spawn(program, args, { stdio: 'inherit', shell: process.platform === 'win32' }),
);
for (const one of running) {
  one.on('exit', (status) => {
    for (const other of running) other.kill();
    process.exitCode = status ?? 1;
  });
}
