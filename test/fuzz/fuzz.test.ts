import assert from 'node:assert/strict';
import { groups } from './groups.ts';

const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);

for (const { name: group, testRuns, properties } of groups) {
  const runs = Number(process.env.FUZZ_RUNS ?? testRuns);

  describe(`fuzz ${group}: ${runs} inputs (FUZZ_SEED=${seed})`, function () {
    this.timeout(400_000);
    const rejections: unknown[] = [];
    const note = (reason: unknown): void => void rejections.push(reason);
    before(() => process.on('unhandledRejection', note));
    after(() => process.off('unhandledRejection', note));

    for (const { name, share, check } of properties) {
      it(name, async () => {
        await check(Math.ceil(runs * share), seed);
      });
    }

    it('no rejection was left unhandled', async () => {
      await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual(rejections, []);
    });
  });
}
