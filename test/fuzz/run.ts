// npm run fuzz -- [NAME…] [--runs N] [--seed S]: checks the properties that `npm test` checks, with more inputs. The same
// --seed gives the same inputs.
import { parseArgs } from 'node:util';
import { groups } from './groups.ts';

function fail(message: string): never {
  console.error(message);
  console.error(`usage: npm run fuzz -- [${groups.map(({ name }) => name).join('|')}]… [--runs N] [--seed S]`);
  process.exit(2);
}

const { positionals, values } = (() => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        /** The number of inputs for each group. */
        runs: { type: 'string', default: '1000000' },
        seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
      },
    });
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
})();
if (!/^[1-9]\d{0,9}$/.test(values.runs)) fail(`--runs ${values.runs}: expected a whole number of 1 or more`);
if (!/^\d{1,10}$/.test(values.seed)) fail(`--seed ${values.seed}: expected a whole number of 0 or more`);
const unknown = positionals.filter((name) => groups.every((group) => group.name !== name));
if (unknown.length > 0) fail(`no group is called ${unknown.join(', ')}`);
const runs = Number(values.runs);
const seed = Number(values.seed);

let failures = 0;
process.on('unhandledRejection', (reason) => {
  failures += 1;
  console.error('unhandled rejection:', reason);
});

for (const { name: group, properties } of groups) {
  if (positionals.length > 0 && !positionals.includes(group)) continue;
  console.log(`${group}: ${runs} inputs, --seed ${seed}`);
  for (const { name, share, check } of properties) {
    const startedAt = performance.now();
    const count = Math.ceil(runs * share);
    // A property that fails does not prevent the check of the next ones.
    const report = await check(count, seed).catch((error: unknown) => {
      failures += 1;
      return `FAILED\n${error instanceof Error ? `${error.message}\n${error.cause ?? ''}` : error}`;
    });
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(`${count} in ${seconds} s: ${name}${report === undefined ? '' : `: ${report}`}`);
  }
}
await new Promise((resolve) => setImmediate(resolve));
if (failures > 0) process.exitCode = 1;
