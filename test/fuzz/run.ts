// npm run fuzz: the properties of the test run with more inputs. --seed repeats a run.
import { parseArgs } from 'node:util';
import { properties } from './properties.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});
const runs = Number(values.runs);
const seed = Number(values.seed);

let rejections = 0;
process.on('unhandledRejection', (reason) => {
  rejections += 1;
  console.error('unhandled rejection:', reason);
});

console.log(`${runs} inputs, --seed ${seed}`);
for (const { name, share, check } of properties) {
  const startedAt = performance.now();
  const count = Math.ceil(runs * share);
  await check(count, seed);
  console.log(`${count} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s: ${name}`);
}
await new Promise((resolve) => setImmediate(resolve));
if (rejections > 0) process.exitCode = 1;
