import assert from 'node:assert/strict';
import { properties } from './properties.ts';

const runs = Number(process.env.FUZZ_RUNS ?? 100_000);
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);

describe(`${runs} inputs (FUZZ_SEED=${seed})`, function () {
  this.timeout(120_000);
  const rejections: unknown[] = [];
  const note = (reason: unknown): void => void rejections.push(reason);
  before(() => process.on('unhandledRejection', note));
  after(() => process.off('unhandledRejection', note));

  for (const { name, share, check } of properties) {
    it(name, () => check(Math.ceil(runs * share), seed));
  }

  it('no rejection was left unhandled', async () => {
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(rejections, []);
  });
});
