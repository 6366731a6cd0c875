// The whole of `npm test`: each ring in turn, then one line that counts. A ring that fails does not hide the others'
// figures, and a ring that left no figures counts as one failure.
import { spawnSync } from 'node:child_process';
import { clearCounts, readCount, rings } from './counts.ts';

const steps = ['types', 'lint', 'unit', 'contract', 'package', 'integration', 'e2e'];

clearCounts();
let broken = 0;
for (const step of steps) {
  console.log(`\n== npm run ${step}`);
  const startedAt = performance.now();
  const { status } = spawnSync('npm', ['run', '--silent', step], { stdio: 'inherit' });
  console.log(
    `== ${step}: ${status === 0 ? 'ok' : 'failed'} in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
  );
  const counted = rings.find((ring) => ring === step);
  const failed = counted === undefined ? 0 : (readCount(counted)?.failed ?? 0);
  // What failed without a failed test (a type error, a crash) is counted here.
  if (status !== 0 && failed === 0) broken += 1;
}
const counts = rings.map((ring) => readCount(ring) ?? { passed: 0, failed: 0 });
const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, broken);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
