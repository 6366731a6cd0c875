import assert from 'node:assert/strict';
import { Refusals } from '../../../src/send/refusals.ts';
import { auditAsCsv, auditColumns, readAuditLog } from '../../../src/store/audit/auditExport.ts';
import type { EvidenceLog } from '../../../src/store/audit/evidenceLog.ts';
import { type ErrorCode, ServiceError } from '../../../src/util/errors.ts';
import { AuditBench, intent, outcome } from './auditSamples.ts';

describe('store: refused requests in the audit log', () => {
  let bench: AuditBench;

  beforeEach(() => (bench = new AuditBench()));
  afterEach(() => bench.clear());

  const logger = { warn: (message: string) => assert.fail(message) };
  const refusalsOf = (audit: EvidenceLog): Refusals => new Refusals({ audit, logger });

  async function refuse(refusals: Refusals, times: number, code: ErrorCode<'gate'> = 'excluded'): Promise<void> {
    for (let time = 0; time < times; time += 1)
      await refusals.note('inlineCompletions', new ServiceError('gate', '', { code, file: 'src/PRIVATE.ts' }));
  }

  const counts = async (): Promise<string[]> =>
    (await readAuditLog(bench.folder)).records.flatMap((record) =>
      record.kind === 'refused' ? [`${record.reason} ${record.count}`] : [],
    );

  it('are signed with the rest, and have no path', async () => {
    const log = bench.begin();
    const refusals = refusalsOf(log);
    await log.record(intent('a'));
    await refuse(refusals, 20);
    await log.record(outcome('a'));
    await refusals.close();
    await log.close();
    assert.deepEqual(await counts(), ['excluded 1', 'excluded 19']);
    assert.deepEqual(await bench.breaks(), []);
    assert.doesNotMatch(bench.linesOf().join(''), /PRIVATE/);
    const { content } = await auditAsCsv((await readAuditLog(bench.folder)).records);
    const cells = content.trimEnd().split('\r\n').at(-1)?.split(',');
    assert.deepEqual(
      ['kind', 'reason', 'settings', 'asked', 'count'].map((column) => cells?.[auditColumns.indexOf(column)]),
      ['refused', 'excluded', '', '', '19'],
    );
    assert.equal(cells?.length, auditColumns.length);
  });

  it('the refusals of two windows are in the logs of both, each with its own count', async () => {
    const logs = [bench.begin(), bench.begin()] as const;
    const [one, two] = [refusalsOf(logs[0]), refusalsOf(logs[1])];
    await Promise.all([refuse(one, 50), refuse(two, 30), refuse(two, 5, 'too-large')]);
    await Promise.all([one.close(), two.close()]);
    for (const log of logs) await log.close();
    assert.deepEqual((await counts()).sort(), [
      ...['excluded 1', 'excluded 1', 'excluded 29', 'excluded 49'],
      ...['too-large 1', 'too-large 4'],
    ]);
    assert.equal(bench.files().length, 2);
    assert.deepEqual(await bench.breaks(), []);
  });

  it('the log of a killed window is intact and has the first refusal, but not its repetitions', async () => {
    const killed = bench.begin();
    await refuse(refusalsOf(killed), 9);
    const next = bench.begin();
    await refuse(refusalsOf(next), 1, 'untrusted');
    await next.sign();
    assert.deepEqual((await counts()).sort(), ['excluded 1', 'untrusted 1']);
    assert.deepEqual(await bench.breaks(), []);
  });
});
