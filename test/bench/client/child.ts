// One contender in a separate process, which node runs as `child.mjs <contender.cjs> <base URL> <what>...`.
import { createRequire } from 'node:module';
import { peakMemory } from '../../tools/peakMemory.mjs';
import type { ContenderModule, Measured } from './contender.ts';
import { repeatedAnswers, smallRequests } from './contender.ts';
import { median } from './median.ts';

const [file = '', baseUrl = '', ...wanted] = process.argv.slice(2);

const startedAt = performance.now();
const { open }: ContenderModule = createRequire(import.meta.url)(file);
const contender = open(baseUrl);
const coldMs = await untilFirst('small', startedAt);

const times: number[] = [];
if (wanted.includes('first-token')) {
  for (let i = 0; i < smallRequests; i++) times.push(await untilFirst('small', performance.now()));
}

let bulkMs = 0;
let bulkCpuMs = 0;
let characters = 0;
if (wanted.includes('bulk')) {
  const cpu = process.cpuUsage();
  const bulkAt = performance.now();
  characters = await contender.chat('bulk', () => {});
  bulkMs = performance.now() - bulkAt;
  const { user, system } = process.cpuUsage(cpu);
  bulkCpuMs = (user + system) / 1000;
}

const peakMiB = peakMemory() / 1024 / 1024;
let repeatedPeakMiB = 0;
if (wanted.includes('repeat')) {
  for (let i = 1; i < repeatedAnswers; i++) await contender.chat('bulk', () => {});
  repeatedPeakMiB = peakMemory() / 1024 / 1024;
}
await contender.close();
const measured: Measured = { coldMs, firstTokenMs: median(times), bulkMs, bulkCpuMs, peakMiB, repeatedPeakMiB };
console.log(JSON.stringify({ ...measured, characters }));
process.exit();

async function untilFirst(model: 'small', from: number): Promise<number> {
  let firstMs = Number.NaN;
  await contender.chat(model, () => {
    firstMs = performance.now() - from;
  });
  return firstMs;
}
