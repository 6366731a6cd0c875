import assert from 'node:assert/strict';
import { Progress } from '../../demo/progress.ts';

describe('the progress of the demo', () => {
  it('says each step when it begins, and in each silence what it still waits for', async () => {
    const lines: string[] = [];
    const { promise: second, resolve } = Promise.withResolvers<void>();
    const progress = new Progress((line) => {
      lines.push(line);
      if (/Still at work: Fetch; Build$/.test(line)) resolve();
    }, 5);
    await Promise.all([progress.step('Fetch', () => second), progress.step('Build', () => second)]);
    assert.equal(await progress.step('Count', () => 3), 3);
    await assert.rejects(
      progress.step('Fail', () => Promise.reject(new Error('no'))),
      /no/,
    );
    progress.end();
    assert.deepEqual(
      lines.filter((line) => !line.includes('Still')).map((line) => line.replace(/^ *\d+ s {2}/, '')),
      ['Fetch', 'Build', 'Count', 'Fail'],
    );
  });
});
