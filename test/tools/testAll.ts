// The whole of `npm test`: each ring in turn, in the newest VS Code, then one line that counts. With `--oldest` the rings
// that need a VS Code run in the oldest one that the manifest promises, too. A ring that fails does not hide the others'
// figures, and a ring that left no figures counts as one failure.
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { clearCounts, readCount, rings } from './counts.ts';
import { newest, oldest } from './vscodeParts.ts';

/** What `npm run` takes. */
type Step = readonly [name: string, ...args: string[]];

const { values } = parseArgs({ options: { oldest: { type: 'boolean', default: false } } });
const e2e = (project: string): Step => ['e2e', '--', `--project=${project}`];
const integration = (version: string): Step => ['integration', '--', '--version', version];
/** Those of a group run beside each other: the integration suite leaves a quarter of two cores idle, the contract more. */
const groups: readonly (readonly Step[])[] = [
  ...(['types', 'lint', 'unit', 'package'] as const).map((name) => [[name]] as const),
  [e2e('newest'), integration(newest), ['contract']],
  ...(values.oldest ? [[e2e('oldest'), integration(oldest)]] : []),
];

const total = { passed: 0, failed: 0 };
for (const group of groups) {
  clearCounts();
  // The first says what it does while it does it, the others when they are through.
  const runs = group.map((step, index) => run(step, index === 0));
  for (const { step, done } of runs) {
    const { status, seconds, output } = await done;
    console.log(`${output}== ${step.join(' ')}: ${status === 0 ? 'ok' : 'failed'} in ${seconds} s`);
    const ring = rings.find((one) => one === step[0]);
    const counted = ring === undefined ? undefined : readCount(ring);
    total.passed += counted?.passed ?? 0;
    total.failed += counted?.failed ?? 0;
    const isSilent = ring !== undefined && counted === undefined;
    // What failed without a failed test (a type error, a crash) is counted here.
    if (isSilent || (status !== 0 && (counted?.failed ?? 0) === 0)) total.failed += 1;
  }
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;

interface Ended {
  readonly status: number | null;
  readonly seconds: number;
  /** Empty where it was shown already. */
  readonly output: string;
}

function run(step: Step, isShown: boolean): { readonly step: Step; readonly done: Promise<Ended> } {
  console.log(`\n== npm run ${step.join(' ')}`);
  const startedAt = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<Ended>();
  const child = spawn('npm', ['run', '--silent', ...step], { stdio: isShown ? 'inherit' : ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  child.once('error', reject);
  child.once('close', (status) => {
    resolve({ status, seconds: Math.round((performance.now() - startedAt) / 1000), output });
  });
  return { step, done: promise };
}
