// The whole of `npm test`: each ring, in the newest VS Code, then a line with the totals. With `--oldest` the rings that need a
// VS Code also run in the oldest one that the manifest supports. A ring that fails does not hide the figures of the others, and a
// ring without figures is one failure.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { findBrowser } from './browser.ts';
import { clearCount, type Failure, readCount, rings } from './counts.ts';
import { ensureVsCode, newest, oldest } from './vscodeParts.ts';

type Step = readonly string[];

const { values } = parseArgs({ options: { oldest: { type: 'boolean', default: false } } });
const versions = values.oldest ? [newest, oldest] : [newest];
let passed = 0;
const failures: Failure[] = [];

/** Runs one step. Its output is printed immediately, or in one piece at its end. */
async function run(step: Step, isLive: boolean): Promise<void> {
  const name = step.join(' ');
  const ring = rings.find((one) => one === step[0]);
  if (ring !== undefined) clearCount(ring);
  if (isLive) console.log(`\n== npm run ${name}`);
  const startedAt = performance.now();
  const child = spawn('npm', ['run', '--silent', ...step], {
    stdio: isLive ? 'inherit' : ['ignore', 'pipe', 'pipe'],
  });
  const said = [child.stdout, child.stderr].map((stream) => (stream === null ? '' : text(stream)));
  const [status] = await once(child, 'close');
  if (!isLive) console.log(`\n== npm run ${name}\n${(await Promise.all(said)).join('').trimEnd()}`);
  console.log(
    `== ${name}: ${status === 0 ? 'ok' : 'failed'} in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
  );
  const counted = ring === undefined ? undefined : readCount(ring);
  passed += counted?.passed ?? 0;
  const failed = counted?.failures ?? [];
  failures.push(...failed.map(({ title, message }) => ({ title: `${name}: ${title}`, message })));
  const isSilent = ring !== undefined && counted === undefined;
  // A failure without a failed test (a type error, a crash) is counted here.
  if (isSilent || (status !== 0 && failed.length === 0))
    failures.push({ title: name, message: 'Its output is above.' });
}

/** Of a long output often only the end is kept, so the failures are repeated there, each with its first lines. */
function summary({ title, message }: Failure): string {
  return ['', `FAILED ${title}`, ...stripVTControlCharacters(message).split('\n').slice(0, 25)].join('\n  ');
}

async function inTurn(steps: readonly Step[], isLive: boolean): Promise<void> {
  for (const step of steps) await run(step, isLive);
}

/** Fetches what the later rings need while the processor is otherwise used. They fetch it again if this fails. */
async function fetchParts(): Promise<void> {
  await findBrowser();
  for (const version of versions) await ensureVsCode(version);
}

// Two at a time, because they wait for other processes and for packages half of their time.
await Promise.all([
  inTurn([['types'], ['lint'], ['package'], ['contract']], false),
  inTurn([['unit']], false),
  fetchParts().catch((error: unknown) => console.error(error)),
]);
// One after the other: each uses both cores, and a window on a busy machine answers late.
for (const [version, project] of versions.map((one) => [one, one === newest ? 'newest' : 'oldest'] as const)) {
  await inTurn(
    [
      ['integration', '--', '--version', version],
      ['e2e', '--', `--project=${project}`],
    ],
    true,
  );
}
for (const failure of failures) console.log(summary(failure));
console.log(`\n${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length > 0 || passed === 0 ? 1 : 0;
