import assert from 'node:assert/strict';
import { appendFileSync, readFileSync } from 'node:fs';
import { auditAsCsv, auditAsJsonl, readAuditLog } from '../../../src/store/audit/auditExport.ts';
import { withClockOfLooks } from '../../tools/clock.ts';
import { AuditBench, intent, outcome } from './auditSamples.ts';

describe('store: reading the audit log', () => {
  let audit: AuditBench;
  beforeEach(() => {
    audit = new AuditBench();
  });
  afterEach(() => audit.clear());

  it('is exported verbatim, and as a spreadsheet that runs no formula', async () => {
    const log = audit.begin();
    await log.record(intent('=HYPERLINK("http://x","y")', 'a,"b"\nc'));
    await log.record(outcome('x'));
    assert.equal((await auditAsJsonl(audit.folder)).content, readFileSync(audit.path(), 'utf8'));
    const csv = (await auditAsCsv((await readAuditLog(audit.folder)).records)).content;
    const [head, , row] = csv.split('\r\n');
    assert.match(head ?? '', /^time,session,seq,kind,request,/);
    assert.ok(row?.includes(`"'=HYPERLINK(""http://x"",""y"")"`));
    assert.ok(csv.includes('"a,""b""\nc"'));
    assert.ok(csv.includes('Svc-Security-Level: high (user)'));
  });

  it('no cell with any text is a formula', async () => {
    const log = audit.begin();
    for (const first of ['=', '+', '-', '@', '\t', '\r']) await log.record(intent(`${first}1`, `${first}1`));
    const csv = (await auditAsCsv((await readAuditLog(audit.folder)).records)).content;
    assert.doesNotMatch(csv, /(^|,|\n)"?[=+\-@\t\r](?!\n)/);
    assert.equal(csv.match(/'[=+\-@\t\r]1/g)?.length, 12);
  });

  it('names its generator', async () => {
    const log = await audit.writeFive();
    const [head, started] = (await auditAsCsv((await readAuditLog(audit.folder)).records)).content.split('\r\n');
    assert.ok(head?.includes(',versions,pid,ledger,'));
    assert.ok(started?.includes(`,svc-coder 0.1.0,${process.pid},${await log.origin()},`));
  });

  it('contains a period without its end, and counts invalid records', async () => {
    let now = new Date('2026-03-01T10:00:00.000Z');
    const log = audit.begin({ now: () => now });
    await log.record(intent('a'));
    now = new Date('2026-03-02T10:00:00.000Z');
    await log.record(intent('b'));
    now = new Date('2026-03-03T10:00:00.000Z');
    await audit.begin({ now: () => now }).record(intent('c'));
    appendFileSync(audit.path(1), 'no record\n');
    const read = async (from?: string, to?: string): Promise<readonly string[]> => {
      const period = { ...(from && { from: new Date(from) }), ...(to && { to: new Date(to) }) };
      const { records } = await readAuditLog(audit.folder, period);
      return records.flatMap((record) => (record.kind === 'request-intent' ? [record.request] : []));
    };
    assert.deepEqual(await read(), ['a', 'b', 'c']);
    assert.deepEqual(await read('2026-03-02T10:00:00Z', '2026-03-03T10:00:00Z'), ['b']);
    assert.deepEqual(await read(undefined, '2026-03-02T10:00:00Z'), ['a']);
    assert.deepEqual(await read('2026-03-02T10:00:00.001Z'), ['c']);
    assert.equal((await readAuditLog(audit.folder)).badLines, 1);
  });

  it('has the records of windows that wrote at the same time in order, and yields while it reads and writes them', async () => {
    let now = Date.parse('2026-03-01T10:00:00.000Z');
    const tick = (): Date => {
      now += 1_000;
      return new Date(now);
    };
    const logs = [
      audit.begin({ now: tick }),
      audit.begin({ now: tick, maxFileBytes: 2_000 }),
      audit.begin({ now: tick }),
    ];
    for (let each = 0; each < 60; each += 1) await logs[each % logs.length]?.record(intent(`r${each}`));
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    const { records } = await withClockOfLooks(() => readAuditLog(audit.folder)).finally(() => {
      isOver = true;
    });
    const reading = turns;
    isOver = false;
    setImmediate(turn);
    const { content } = await withClockOfLooks(() => auditAsCsv(records)).finally(() => {
      isOver = true;
    });
    assert.deepEqual(
      records.map(({ time }) => time),
      records.map(({ time }) => time).toSorted(),
    );
    const requests = records.flatMap((record) => (record.kind === 'request-intent' ? [record.request] : []));
    assert.deepEqual(
      requests,
      Array.from({ length: 60 }, (_, index) => `r${index}`),
    );
    assert.equal(content.split('\r\n').length, records.length + 2);
    assert.ok(reading >= 10 && turns - reading >= 5, `${reading} and ${turns - reading} turns`);
  });
});
