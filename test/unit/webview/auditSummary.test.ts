import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AuditRow } from '../../../src/protocol/auditMessages.ts';
import { type Bucket, dayOf, type Filter, filtered, summaryOf } from '../../../src/webview/audit/summary.ts';

const noon = new Date('2026-03-31T12:00:00').getTime();
const day = 86_400_000;
const all: Filter = { period: 'all', from: '', to: '', model: '', posture: '', outcome: '' };

const row = (over: Partial<AuditRow> = {}): AuditRow => ({
  request: 'r',
  at: noon,
  action: 'chat',
  model: 'svc/auto',
  posture: 'maximum',
  outcome: 'complete',
  confirmation: 'confirmed',
  error: '',
  durationMs: 900,
  tokens: 10,
  files: 0,
  maskings: 0,
  unmasked: 0,
  ...over,
});

const anyRow = fc
  .record({
    at: fc.integer({ min: noon - 40 * day, max: noon }),
    model: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'),
    posture: fc.constantFrom('', 'high'),
    outcome: fc.constantFrom('complete', 'failed', 'unknown'),
    durationMs: fc.option(fc.nat(60_000)),
    tokens: fc.option(fc.nat(1000)),
  })
  .map(row);
const sum = (buckets: readonly Bucket[]): number => buckets.reduce((total, { value }) => total + value, 0);

describe('webview/audit: the summary of a period', () => {
  it('lets through what the filter asks for, by the calendar', () => {
    const rows = [
      row({ at: noon }),
      row({ at: noon - day }),
      row({ at: noon - 7 * day }),
      row({ at: noon - 31 * day }),
    ];
    const count = (period: Filter['period']): number => filtered(rows, { ...all, period }, noon).length;
    // The clock goes forward between some of these days in much of the world.
    assert.deepEqual([count('today'), count('week'), count('month'), count('all')], [1, 2, 3, 4]);
    const between = (from: string, to: string): number =>
      filtered(rows, { ...all, period: 'days', from, to }, noon).length;
    assert.deepEqual(
      [
        between('2026-03-30', '2026-03-31'),
        between('2026-03-24', '2026-03-30'),
        between('', '2026-03-29'),
        between('', ''),
      ],
      [2, 2, 2, 4],
    );
    assert.equal(filtered([row(), row({ model: 'x' })], { ...all, model: 'x' }, noon).length, 1);
    assert.equal(filtered([row(), row({ outcome: 'failed' })], { ...all, outcome: 'failed' }, noon).length, 1);
  });

  it('counts what people ask about', () => {
    const { byDay, ...summary } = summaryOf([
      row({ durationMs: 100, maskings: 2 }),
      row({ durationMs: 300, confirmation: 'contradicted' }),
      row({ durationMs: 40_000, outcome: 'failed', tokens: null }),
    ]);
    assert.deepEqual(
      [summary.requests, summary.failed, summary.contradicted, summary.masked, summary.medianMs, summary.tokens],
      [3, 1, 1, 2, 300, 20],
    );
    assert.deepEqual(byDay, [{ label: '2026-03-31', value: 3 }]);
    assert.deepEqual(
      summary.byLatency.map(({ value }) => value),
      [2, 0, 0, 0, 0, 0, 1],
    );
    assert.equal(summary.byLatency.at(-1)?.label, '≥ 30 s');
  });

  it('has a bar for each day between, the last 31 at most', () => {
    const bars = summaryOf([row({ at: noon - 3 * day }), row()]).byDay;
    assert.deepEqual(bars, [
      { label: dayOf(noon - 3 * day), value: 1 },
      { label: dayOf(noon - 2 * day), value: 0 },
      { label: dayOf(noon - day), value: 0 },
      { label: dayOf(noon), value: 1 },
    ]);
    assert.equal(summaryOf([row({ at: noon - 300 * day }), row()]).byDay.length, 31);
  });

  it('no chart loses a request', () => {
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 60 }), (rows) => {
        const { byModel, byPosture, byOutcome, byLatency, requests } = summaryOf(rows);
        for (const chart of [byModel, byPosture, byOutcome]) assert.equal(sum(chart), requests);
        assert.equal(sum(byLatency), rows.filter(({ durationMs }) => durationMs !== null).length);
        assert.ok(byModel.length <= 9);
      }),
    );
  });

  it('of nothing is nothing', () => {
    const { medianMs, byDay, byModel, byLatency } = summaryOf([]);
    assert.deepEqual([medianMs, byDay, byModel, byLatency], [null, [], [], []]);
  });
});
