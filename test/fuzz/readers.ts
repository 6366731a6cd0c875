import assert from 'node:assert/strict';
import { peakMemory } from '../tools/peakMemory.mjs';
import type { Group, Property } from './group.ts';
import { edits } from './readers/edits.ts';
import { gate } from './readers/gate.ts';
import { costOf } from './readers/measure.ts';
import { others } from './readers/others.ts';
import type { Reader, Readers } from './readers/reader.ts';
import { type Shape, shapesOf } from './readers/shapes.ts';
import { stored } from './readers/stored.ts';

/** Every function that reads text of others. A test compares the list with the sources. */
export const readers: Readers = { ...edits, ...gate, ...others, ...stored };

interface Limits {
  /** Lengths of the texts. */
  readonly short: number;
  readonly long: number;
  /**
   * The cost may grow with this power of the length, from this cost on. Milliseconds of processor time. It must grow faster again
   * with a text that is four times as long as the long one: memory that no longer fits raises the cost once.
   */
  readonly mostPower: number;
  readonly from: number;
  /** No long text may cost more, in milliseconds of processor time. It also bounds how long a problem is measured. */
  readonly most: number;
  /** Between two chances to pause. */
  readonly longestMs: number;
}

/** `npm test` finds what is quadratic; `npm run fuzz` measures. */
const wide: Limits = { short: 4_000, long: 32_000, mostPower: 1.64, from: 100, most: 2_000, longestMs: 400 };
/** For a text four times as long, what is linear costs 4 times as much, and what is quadratic 16 times: 8 times are the most. */
const narrow: Limits = { short: 50_000, long: 200_000, mostPower: 1.5, from: 12, most: 20_000, longestMs: 50 };
const attempts = 5;
/** All readers together may make the process grow by this much. V8 keeps memory that it could free. */
const mostMiB = 1_200;

/** The least of some attempts: it depends least on what else the machine does. Ends once a limit is met. */
async function least(cost: () => Promise<number>, most: number): Promise<number> {
  let found = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts && found > most; attempt += 1) found = Math.min(found, await cost());
  return found;
}

/** The clock of a thread advances in steps of some milliseconds: short calls are repeated. */
const leastMs = 40;
const mostRepeats = 20;

/** What one of several calls costs, on average, in milliseconds of processor time. */
async function averageOf(cost: () => Promise<number>): Promise<number> {
  let total = 0;
  let repeats = 0;
  while (total < leastMs && repeats < mostRepeats) {
    total += await cost();
    repeats += 1;
  }
  return total / repeats;
}

/** What is wrong with the cost of a shape; null if nothing is. */
async function problemWith(
  reader: Reader,
  read: (...args: never[]) => unknown,
  { made }: Shape,
  { short, long, mostPower, from, most, longestMs }: Limits,
): Promise<string | null> {
  const [small, large] = [made(short), made(long)];
  const first = await costOf(reader, read, large);
  if (first.longestMs !== null && first.longestMs > longestMs) {
    const step = await least(async () => (await costOf(reader, read, large)).longestMs ?? 0, longestMs);
    if (step > longestMs) return `a step of ${step.toFixed(0)} ms`;
  }
  if (first.ms <= from) return null;
  const average = (text: string) => averageOf(async () => (await costOf(reader, read, text)).ms);
  const whole = await least(() => average(large), most);
  if (whole > most) return `${whole.toFixed(0)} ms`;
  let length = short;
  const costs = [await least(() => average(small), 0)];
  for (const next of [long, 4 * long]) {
    const limit = Math.max(from, (costs.at(-1) ?? 0) * (next / length) ** mostPower);
    const cost = await least(() => average(made(next)), limit);
    if (cost <= limit) return null;
    costs.push(cost);
    length = next;
  }
  return costs.map((cost) => `${cost.toFixed(1)} ms`).join(', then ');
}

/** From this number of runs on, they are texts for all readers together, and the limits are narrow. */
const fromNarrow = 1_000;

/**
 * In a run of the tests, `runs` shapes for each reader, by the seed. In a longer run, about that many for all readers together;
 * there are some 50,000.
 */
const isLinear: Property['check'] = async (runs, seed) => {
  const isShort = runs < fromNarrow;
  const limits = isShort ? wide : narrow;
  const kinds = Object.values(readers).flatMap((functions) => Object.values(functions));
  const total = kinds.reduce((sum, { pieces }) => sum + shapesOf(pieces).length, 0);
  let turn = seed;
  const problems: string[] = [];
  let shapes = 0;
  const before = peakMemory();
  for (const [file, functions] of Object.entries(readers)) {
    const module: Readonly<Record<string, (...args: never[]) => unknown>> = await import(`../../src/${file}`);
    for (const [name, reader] of Object.entries(functions)) {
      const read = module[name];
      assert.equal(typeof read, 'function', `${file} exports no function ${name}`);
      if (read === undefined) continue;
      const all = shapesOf(reader.pieces);
      const step = Math.max(1, Math.floor((isShort ? all.length : total) / runs));
      turn += 1;
      for (const shape of all.filter((_, index) => index % step === turn % step)) {
        shapes += 1;
        const problem = await problemWith(reader, read, shape, limits).catch((error: unknown) => String(error));
        if (problem !== null) problems.push(`${file}: ${name}, ${shape.name}: ${problem}`);
      }
    }
  }
  const mib = (peakMemory() - before) / 1024 / 1024;
  if (mib > mostMiB) problems.push(`the process has grown by ${mib.toFixed(0)} MiB`);
  assert.deepEqual(problems, []);
  return `${kinds.length} readers, ${shapes} shapes, ${limits.long} letters, ${mib.toFixed(0)} MiB`;
};

export const readersGroup: Group = {
  name: 'readers',
  testRuns: 8,
  properties: [
    { name: 'text of others is read in linear time, in short steps and bounded memory', share: 1, check: isLinear },
  ],
};
