import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RecordRows, type StampedEntry } from '../../../src/features/audit/vscode/rows.ts';
import type { AuditData } from '../../../src/protocol/audit/auditMessages.ts';
import { type AuditPart, Columns, unpacked } from '../../../src/protocol/audit/auditPart.ts';
import { PageLog } from '../../../src/webview/audit/pageLog.ts';
import { madeUpRecords } from '../../tools/auditPreview/records.ts';
import { pageData } from '../../tools/auditPreview/sent.ts';
import { flagWords } from '../../tools/headerInventory.ts';

const words = {
  flags: flagWords,
  refusalRows: () => [],
  eventRows: () => [],
};

function partOf(records: readonly StampedEntry[]): AuditPart {
  const rows = new RecordRows();
  for (const record of records) rows.add(record, words);
  return JSON.parse(new TextDecoder().decode(rows.encoded()));
}

const status = { isWhole: true, badLines: 0, unsigned: '' };
const now = Date.parse('2026-11-21T12:00:00.000Z');

/** What a later session assumes of each request, also of those that have ended. */
const assumed = (records: readonly StampedEntry[]): StampedEntry[] =>
  records.flatMap((record) =>
    record.kind === 'request-intent'
      ? [
          {
            ...{ seq: 1, session: 'later', time: new Date(now).toISOString(), kind: 'request-outcome' },
            ...{ request: record.request, outcome: 'unknown', confirmation: 'none' },
          } as const,
        ]
      : [],
  );

describe('webview/audit: the log that has arrived', () => {
  it('is the same in whatever parts and order it came', () => {
    const made = madeUpRecords(40, 20, now);
    const all = [...made, ...assumed(made)];
    const sorted = (data: AuditData): object => ({
      ...data,
      rows: data.rows.toSorted((a, b) => (a.request < b.request ? -1 : 1)),
      postures: data.postures.toSorted((a, b) => (a.label < b.label ? -1 : 1)),
    });
    const expected = sorted(pageData(all));
    fc.assert(
      fc.property(
        fc.shuffledSubarray(all, { minLength: all.length }),
        fc.integer({ min: 1, max: 60 }),
        (order, size) => {
          const log = new PageLog();
          for (let at = 0; at < order.length; at += size) log.add(partOf(order.slice(at, at + size)));
          const data = log.data(status);
          assert.deepEqual(sorted(data), { ...expected, unsigned: '' });
          assert.ok(data.rows.every(({ at }, index) => index === 0 || at >= (data.rows[index - 1]?.at ?? 0)));
        },
      ),
      { numRuns: 100 },
    );
  });

  it('the later of two ends of a request is used, in either order', () => {
    const [intent] = madeUpRecords(1, 1, now).filter(({ kind }) => kind === 'request-intent');
    assert.ok(intent?.kind === 'request-intent');
    const end = (outcome: 'failed' | 'complete', second: number): StampedEntry => ({
      ...{ seq: 2, session: 's', time: `2026-11-21T12:00:0${second}.000Z`, kind: 'request-outcome' },
      ...{ request: intent.request, outcome, confirmation: 'none' },
    });
    for (const records of [
      [intent, end('failed', 1), end('complete', 2)],
      [intent, end('complete', 2), end('failed', 1)],
      [end('complete', 2), end('failed', 1), intent],
      [end('failed', 1), end('complete', 2), intent],
    ]) {
      const log = new PageLog();
      for (const record of records) log.add(partOf([record]));
      assert.deepEqual(
        log.data(status).rows.map(({ outcome }) => outcome),
        ['complete'],
      );
    }
  });

  it('rows are unpacked as they were packed', () => {
    interface Row {
      readonly word?: string;
      readonly number?: number;
      readonly flag?: boolean;
    }
    const row = fc.record(
      {
        word: fc.oneof(fc.constantFrom('a', 'b', ''), fc.string()),
        number: fc.oneof(fc.constantFrom(0, 1), fc.integer()),
        flag: fc.boolean(),
      },
      { requiredKeys: [], noNullPrototype: true },
    );
    fc.assert(
      fc.property(fc.array(row, { maxLength: 40 }), (rows: readonly Row[]) => {
        const columns = new Columns<Row>(['word', 'number', 'flag']);
        for (const one of rows) columns.add(one);
        assert.deepEqual(unpacked<Row>(JSON.parse(JSON.stringify(columns.packed()))), rows);
      }),
    );
  });
});
