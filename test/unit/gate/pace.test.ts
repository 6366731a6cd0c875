import assert from 'node:assert/strict';
import { isPauseDue, pause } from '../../../src/gate/secrets/pace.ts';

describe('gate: the pace of a search', () => {
  it('asks for a pause 10 ms after the last one, also if the clock was set back since', async () => {
    const { now } = performance;
    let time = 1_000_000;
    performance.now = () => time;
    try {
      await pause();
      const dueAt = (ms: number): boolean => {
        time = 1_000_000 + ms;
        return isPauseDue();
      };
      assert.deepEqual([0, 10, 11, 5_000, -5, -5_000].map(dueAt), [false, false, true, true, false, true]);
    } finally {
      performance.now = now;
    }
  });
});
