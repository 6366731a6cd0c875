import assert from 'node:assert/strict';
import { isPauseDue, pause } from '../../../src/gate/secrets/pace.ts';
import { leastCost, processorMs, turnsOf } from '../../tools/processorTime.ts';

/** Works for some milliseconds of processor time, in slices. */
async function search(ms: number): Promise<void> {
  for (let done = 0; done < ms; ) {
    if (isPauseDue()) await pause();
    const from = processorMs();
    while (processorMs() - from < 2);
    done += processorMs() - from;
  }
}

describe('gate: the pace of a search', () => {
  it('asks for a pause 10 ms after the last one, even if the clock was set back since', async () => {
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

  it('gives each of many searches a turn of its own', async () => {
    const searches = () => Promise.all(Array.from({ length: 20 }, () => search(25)));
    const longestMs = await leastCost(59, async () => (await turnsOf(searches)).longestMs);
    assert.ok(longestMs < 60, `${longestMs} ms`);
  });

  it('lets a short search end while long ones go on', async () => {
    const ended: string[] = [];
    const long = ['first long', 'second long'].map((name) => search(200).then(() => ended.push(name)));
    await Promise.all([...long, search(25).then(() => ended.push('short'))]);
    assert.deepEqual(ended[0], 'short');
  });
});
