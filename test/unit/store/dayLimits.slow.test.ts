import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { readAuditLog } from '../../../src/store/audit/auditExport.ts';
import { DayUsage, dayOf } from '../../../src/store/audit/dayUsage.ts';
import { AuditBench, FileSecrets, intent } from './auditSamples.ts';

describe('store: the daily limits over several windows', () => {
  let audit: AuditBench<FileSecrets>;
  beforeEach(() => {
    audit = new AuditBench((root) => new FileSecrets(join(root, 'secrets')));
  });
  afterEach(() => audit.clear());

  const start = async (name: string, requests: number, cap: number): Promise<{ sent: number; refused: number }> => {
    const args = [audit.folder, audit.root, join(audit.root, 'secrets'), name, String(requests), String(cap)];
    const child = fork(join(import.meta.dirname, 'limitWorker.ts'), args);
    const [[found], [code]] = await Promise.all([once(child, 'message'), once(child, 'exit')]);
    assert.equal(code, 0);
    return found;
  };

  for (const cap of [501, 999]) {
    it(`two windows with 500 requests each send exactly ${cap}`, async () => {
      const windows = await Promise.all([start('a', 500, cap), start('b', 500, cap)]);
      const [sent, refused] = (['sent', 'refused'] as const).map((what) =>
        windows.reduce((sum, window) => sum + window[what], 0),
      );
      const { records } = await readAuditLog(audit.folder);
      const recorded = records.filter(({ kind }) => kind === 'request-intent');
      assert.deepEqual([sent, refused, recorded.length], [cap, 1_000 - cap, cap]);
    });
  }

  it('counts a log of 100,000 records once, and then what is added, in milliseconds', async () => {
    const log = audit.begin();
    for (let batch = 0; batch < 100; batch += 1)
      await Promise.all(Array.from({ length: 1_000 }, (_, index) => log.record(intent(`${batch}-${index}`))));
    const usage = new DayUsage(audit.folder);
    const day = dayOf(new Date());
    const timed = async (): Promise<number> => {
      const before = performance.now();
      await usage.read(day);
      return performance.now() - before;
    };
    const first = await timed();
    const times: number[] = [];
    for (let index = 0; index < 20; index += 1) {
      await log.record(intent(`later ${index}`));
      times.push(await timed());
    }
    const median = times.sort((a, b) => a - b)[10] ?? Number.NaN;
    assert.equal((await usage.read(day)).requests, 100_020);
    assert.ok(median * 10 < first, `first ${first} ms, then ${median} ms`);
  });
});
