// npm run watch: bundles with source maps, and types, rebuilt whenever a source changes. Ctrl+C ends both.
import { spawn } from 'node:child_process';
import { typeProjects } from './typeProjects.ts';

const steps = [
  [process.execPath, ['esbuild.mjs', '--watch']],
  ...typeProjects().map((folder) => ['tsc', ['-p', folder, '--watch', '--preserveWatchOutput']] as const),
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
