// The whole of `npm test`: each ring in turn, in the newest VS Code, then one line that counts. With `--oldest` the rings
// that need a VS Code run in the oldest one that the manifest promises, too. A ring that fails does not hide the others'
// figures, and a ring that left no figures counts as one failure.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { clearCounts, readCount, rings } from './counts.ts';
import { newest, oldest } from './vscodeParts.ts';

const { values } = parseArgs({ options: { oldest: { type: 'boolean', default: false } } });
const inVsCode = (version: string, project: string): readonly (readonly string[])[] => [
  ['integration', '--', '--version', version],
  ['e2e', '--', `--project=${project}`],
];
const steps: readonly (readonly string[])[] = [
  ...[['types'], ['lint'], ['unit'], ['contract'], ['package']],
  ...inVsCode(newest, 'newest'),
  ...(values.oldest ? inVsCode(oldest, 'oldest') : []),
];

const total = { passed: 0, failed: 0 };
for (const step of steps) {
  const name = step.join(' ');
  console.log(`\n== npm run ${name}`);
  clearCounts();
  const startedAt = performance.now();
  const { status } = spawnSync('npm', ['run', '--silent', ...step], { stdio: 'inherit' });
  console.log(
    `== ${name}: ${status === 0 ? 'ok' : 'failed'} in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
  );
  const ring = rings.find((one) => one === step[0]);
  const counted = ring === undefined ? undefined : readCount(ring);
  total.passed += counted?.passed ?? 0;
  total.failed += counted?.failed ?? 0;
  const isSilent = ring !== undefined && counted === undefined;
  // What failed without a failed test (a type error, a crash) is counted here.
  if (isSilent || (status !== 0 && (counted?.failed ?? 0) === 0)) total.failed += 1;
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
