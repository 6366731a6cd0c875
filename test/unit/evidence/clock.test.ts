import assert from 'node:assert/strict';
import { frameOf } from '../../../src/evidence/line.ts';
import { makeReport, type Report } from '../../../tools/report/machines.ts';
import { pageOf } from '../../../tools/report/page.ts';
import { sampleLog } from '../../tools/evidenceLog.ts';
import { type FolderFiles, withFolder } from './folders.ts';

const lines = [...sampleLog('clock', { sessions: 1, records: 6 }).files().values()].flat();
const timed = lines.filter((line) => frameOf(Buffer.from(line)) !== null);

/** As a collector stores them that takes each line so many seconds after its time. */
const taken = (seconds: number, { offset = 'Z', all = timed } = {}): readonly string[] =>
  all.map((line, index) => {
    const time = Date.parse(frameOf(Buffer.from(line))?.time ?? '');
    // The first line is the fastest.
    return `${new Date(time + seconds * 1000 + index).toISOString().replace('Z', offset)} ${line.slice(0, 300)}`;
  });

const report = (times: FolderFiles): Promise<Report> => {
  const machines = ['pc-1', 'pc-2'].map((name) => [`collected/${name}/audit.log`, lines] as const);
  return withFolder([...machines, ['times/other/x', []], ...times], (folder) => {
    const options = { policy: null, seen: [], silentDays: 7, grace: 0, now: Date.parse('2026-11-03T08:00:00.000Z') };
    return makeReport({ collected: `${folder}/collected`, times: `${folder}/times`, ...options });
  });
};

describe('the clocks of machines, as the report on many machines compares them with the collector', () => {
  it('has the difference of each machine, by the line that arrived fastest', async () => {
    const found = await report([
      ['times/pc-1/a.log', taken(2.5)],
      ['times/pc-1/b.log', taken(90)],
      ['times/pc-2/a.log', taken(-7200)],
    ]);
    assert.deepEqual(found.machines[0]?.names, ['pc-1', 'pc-2']);
    const expected = [
      { least: 2.5, most: 2.5, days: 1 },
      { least: -7200, most: -7200, days: 1 },
    ];
    assert.deepEqual(found.machines[0]?.clocks, expected);
    assert.ok(pageOf(found).includes('<th>Clock</th>'));
    assert.ok(pageOf(found).includes('<td>2.5 s behind<br>2.0 h ahead</td>'));
  });

  it('has the smallest and the largest of all days', async () => {
    const day = 86_400;
    const found = await report([['times/pc-1/a.log', [...taken(-1), ...taken(3 * day), ...taken(5 * day)]]]);
    assert.deepEqual(found.machines[0]?.clocks, [{ least: -1, most: 5 * day, days: 3 }, null]);
    assert.ok(pageOf(found).includes('<td>1.0 s ahead to 5.0 d behind<br>not known</td>'));
  });

  it('takes other time zones, and ignores what is no time of a line', async () => {
    const bad = [
      ...lines,
      taken(-500)[0]?.replace(/^\S+/, '2026-13-45T08:00:00Z') ?? '',
      taken(-500)[0]?.replace('"v":2', '"v":3') ?? '',
      ` ${taken(-500)[0]}`,
      taken(-500)[0]?.slice(0, 80) ?? '',
      'x'.repeat(70_000),
    ];
    const found = await report([['times/pc-1/a.log', [...bad, ...taken(3_604, { offset: '+01:00' })]]]);
    assert.deepEqual(found.machines[0]?.clocks, [{ least: 4, most: 4, days: 1 }, null]);
  });

  it('says nothing of clocks without a time, and refuses a folder that is not there', async () => {
    const found = await report([]);
    assert.deepEqual(found.machines[0]?.clocks, [null, null]);
    assert.ok(!pageOf(found).includes('Clock'));
    const options = { policy: null, seen: [], silentDays: 7, grace: 0, now: 0 };
    await withFolder([['collected/pc-1/x', lines]], (folder) =>
      assert.rejects(makeReport({ collected: `${folder}/collected`, times: `${folder}/none`, ...options }), /ENOENT/),
    );
  });
});
