import assert from 'node:assert/strict';
import type { AuditRow } from '../../../src/protocol/audit/auditRequest.ts';
import {
  dayOf,
  defaultFilter,
  type Filter,
  filtered,
  filteredRefusals,
  onlyRefused,
  parseFilter,
  withoutHeaders,
} from '../../../src/webview/audit/filter.ts';
import { auditRow, dayMs, inTimeZone } from './auditSamples.ts';

const all: Filter = { ...defaultFilter, period: 'all' };
const local = (text: string): number => new Date(text).getTime();

describe('webview/audit: filters', () => {
  it('a period consists of calendar days, including today', () => {
    inTimeZone('Europe/Berlin', () => {
      // Daylight saving time begins on the 29th.
      const now = local('2026-03-30T00:30');
      const count = (period: Filter['period'], ...times: readonly string[]): number =>
        filtered(
          times.map((time) => auditRow({ at: local(time) })),
          { ...all, period },
          now,
        ).length;
      assert.equal(count('today', '2026-03-29T23:59:59.999', '2026-03-30T00:00'), 1);
      assert.equal(count('week', '2026-03-23T23:59:59.999', '2026-03-24T00:00', '2026-03-30T00:29'), 2);
      assert.equal(count('month', '2026-02-28T23:59:59.999', '2026-03-01T00:00'), 1);
      assert.equal(count('all', '1999-01-01T00:00', '2040-01-01T00:00'), 2);
    });
  });

  it('a custom period includes its first and its last day, and is open if a day is missing', () => {
    const rows = ['2026-03-27T23:59', '2026-03-28T00:00', '2026-03-29T23:59', '2026-03-30T00:00'].map((time, index) =>
      auditRow({ at: local(time), files: index }),
    );
    const found = (from: string, to: string): readonly number[] =>
      filtered(rows, { ...all, period: 'days', from, to }, 0).map(({ files }) => files);
    assert.deepEqual(found('2026-03-28', '2026-03-29'), [1, 2]);
    assert.deepEqual(found('2026-03-28', ''), [1, 2, 3]);
    assert.deepEqual(found('', '2026-03-27'), [0]);
    assert.deepEqual(found('2026-03-29', '2026-03-28'), []);
    assert.deepEqual(found('soon', ''), [0, 1, 2, 3]);
  });

  it('refused requests match by period, and only where no filter asks for what they do not have', () => {
    const refusal = (at: number) => ({ at, action: 'chat', reason: 'a file is excluded', count: 1 }) as const;
    const refusals = [refusal(0), refusal(3 * dayMs)];
    const count = (filter: Partial<Filter>): number =>
      filteredRefusals(refusals, { ...all, ...filter }, 3 * dayMs).length;
    assert.deepEqual([count({}), count({ outcome: onlyRefused }), count({ period: 'today' })], [2, 2, 1]);
    const others = [{ outcome: 'failed' }, { model: 'x' }, { posture: withoutHeaders }, { confirmation: 'none' }];
    assert.deepEqual(others.map(count), [0, 0, 0, 0]);
    assert.equal(filtered([auditRow()], { ...all, outcome: onlyRefused }, 0).length, 0);
  });

  const cases: readonly (readonly [Partial<Filter>, Partial<AuditRow>])[] = [
    [{ model: 'x' }, { model: 'x' }],
    [{ outcome: 'failed' }, { outcome: 'failed' }],
    [{ posture: 'high' }, { posture: 'high' }],
    [{ posture: withoutHeaders }, { posture: '' }],
    [{ confirmation: 'contradicted' }, { confirmation: 'contradicted' }],
  ];
  for (const [filter, fitting] of cases) {
    it(`accepts only rows with ${JSON.stringify(fitting)}`, () => {
      const row = auditRow({ request: 'fitting', ...fitting });
      const found = filtered([auditRow(), row, auditRow()], { ...all, ...filter }, 0);
      assert.deepEqual(found, [row]);
    });
  }

  it('several filters must all match', () => {
    const rows = [
      auditRow({ model: 'x' }),
      auditRow({ outcome: 'failed' }),
      auditRow({ model: 'x', outcome: 'failed', at: dayMs }),
    ];
    assert.deepEqual(filtered(rows, { ...all, model: 'x', outcome: 'failed' }, 0), [rows[2]]);
  });

  it('formats a day like a date field', () => {
    assert.equal(dayOf(local('2026-03-05T23:59')), '2026-03-05');
  });

  it('reads the stored filter, and the default if it is invalid', () => {
    const kept: Filter = { ...all, model: 'x', from: '2026-01-01' };
    assert.deepEqual(parseFilter(JSON.parse(JSON.stringify(kept))), kept);
    for (const junk of [undefined, null, 7, 'all', { period: 'ever' }, { period: 7 }]) {
      assert.deepEqual(parseFilter(junk), defaultFilter);
    }
    assert.deepEqual(parseFilter({ period: 'all', model: {}, outcome: 'x'.repeat(301) }), all);
  });
});
