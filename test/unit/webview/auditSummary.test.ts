import assert from 'node:assert/strict';
import fc from 'fast-check';
import { auditOutcomes } from '../../../src/protocol/audit/auditValues.ts';
import { defaultFilter, filtered, type Period, periods, rangeOf } from '../../../src/webview/audit/filter.ts';
import { percentile, type Summary, summaryOf } from '../../../src/webview/audit/summary.ts';
import { anyRow, auditRow, dayMs } from './auditSamples.ts';

const now = new Date('2026-03-31T12:00:00').getTime();
const open = rangeOf({ ...defaultFilter, period: 'all' }, now);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

describe('webview/audit: the summary of a period', () => {
  it('has the counts of the page', () => {
    const { requests, failed, contradicted, masked, tokens, unreported, medianMs, p95Ms } = summaryOf(
      [
        auditRow({ at: now, durationMs: 100, maskings: 2 }),
        auditRow({ at: now, durationMs: 300, confirmation: 'contradicted' }),
        auditRow({ at: now, outcome: 'failed' }, { durationMs: 40_000 }),
        auditRow({ at: now, outcome: 'unknown' }, {}),
      ],
      open,
      now,
    );
    assert.deepEqual([requests, failed, contradicted, masked, tokens], [4, 1, 1, 2, 20]);
    assert.deepEqual([unreported, medianMs, p95Ms], [2, 300, 40_000]);
  });

  it('has a column for each day of the period, including empty ones, by outcome', () => {
    const range = rangeOf({ ...defaultFilter, period: 'week' }, now);
    const { requestsBySpan, tokensBySpan, spans } = summaryOf(
      [auditRow({ at: now - 2 * dayMs }), auditRow({ at: now }), auditRow({ at: now, outcome: 'failed' })],
      range,
      now,
    );
    assert.equal(spans.unit, 'day');
    assert.deepEqual(requestsBySpan.map(sum), [0, 0, 0, 0, 1, 0, 2]);
    assert.deepEqual(
      requestsBySpan.at(-1),
      auditOutcomes.map((name) => Number(['complete', 'failed'].includes(name))),
    );
    assert.deepEqual(tokensBySpan, [0, 0, 0, 0, 10, 0, 20]);
  });

  it('a period that continues has a column for today, however old its requests are', () => {
    const days = (count: number): number => now - count * dayMs;
    for (const age of [0, 1, 30, 400, 2_000, 9_000]) {
      for (const to of ['', '9999-12-31']) {
        const range = rangeOf({ ...defaultFilter, period: 'days', from: '0001-01-01', to }, now);
        for (const chosen of [open, range]) {
          const { spans } = summaryOf([auditRow({ at: days(age) }), auditRow({ at: days(age + 3) })], chosen, now);
          const last = spans.starts.at(-1) ?? Number.NaN;
          assert.ok(last <= now && now < spans.end, `${age} days: ${spans.unit}`);
        }
      }
    }
    const past = rangeOf({ ...defaultFilter, period: 'days', from: '0001-01-01', to: '2025-12-31' }, now);
    const { spans } = summaryOf([auditRow({ at: days(2_000) }), auditRow({ at: days(2_010) })], past, now);
    assert.deepEqual([spans.unit, spans.starts.length], ['day', 11]);
  });

  it('names the eight most frequent models, and counts the others', () => {
    const rows = [...'abcdefghij'].flatMap((model, index) =>
      Array.from({ length: index + 1 }, () => auditRow({ model })),
    );
    const { byModel } = summaryOf(rows, open, now);
    assert.deepEqual(
      byModel.counts.map(({ word }) => word),
      [...'jihgfedc'],
    );
    assert.equal(byModel.others, 3);
  });

  it('the summary of no rows is empty', () => {
    const { requests, medianMs, p95Ms, byModel, byOutcome, requestsBySpan } = summaryOf([], open, now);
    assert.deepEqual([requests, medianMs, p95Ms], [0, null, null]);
    assert.deepEqual([byModel.counts, sum(byOutcome), sum(requestsBySpan.map(sum))], [[], 0, 0]);
  });

  it('no chart loses a request, for any filter', () => {
    const filter = fc
      .record({
        period: fc.constantFrom<Period>(...periods),
        from: fc.constantFrom('', '2024-02-30', '2025-12-01', '0001-01-01', '9999-12-31'),
        to: fc.constantFrom('', '2026-01-31', '9999-12-31'),
        model: fc.constantFrom('', 'a'),
        outcome: fc.constantFrom('', ...auditOutcomes),
      })
      .map((over) => ({ ...defaultFilter, ...over }));
    fc.assert(
      fc.property(fc.array(anyRow(now), { maxLength: 60 }), filter, (rows, chosen) => {
        const shown = filtered(rows, chosen, now);
        const summary = summaryOf(shown, rangeOf(chosen, now), now);
        const words = ({ counts, others }: Summary['byModel']): number =>
          sum(counts.map(({ count }) => count)) + others;
        assert.equal(summary.requests, shown.length);
        assert.equal(sum(summary.requestsBySpan.map(sum)), shown.length);
        assert.equal(sum(summary.byOutcome), shown.length);
        assert.equal(words(summary.byModel), shown.length);
        assert.equal(words(summary.byAction), shown.length);
        assert.equal(words(summary.byPosture), shown.length);
        assert.equal(sum(summary.tokensBySpan), summary.tokens);
        assert.ok(summary.spans.starts.length <= 64 && summary.byModel.counts.length <= 8);
      }),
      { numRuns: 500 },
    );
  });

  it('a percentile is one of the values, and at least that share is at most equal to it', () => {
    assert.equal(percentile([], 0.5), null);
    assert.deepEqual(
      [0, 0.5, 0.95, 1].map((share) => percentile([1, 2, 3, 4], share)),
      [1, 2, 4, 4],
    );
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1 }), fc.float({ min: 0, max: 1, noNaN: true }), (values, share) => {
        const sorted = values.sort((a, b) => a - b);
        const found = percentile(sorted, share);
        assert.ok(found !== null && sorted.includes(found));
        assert.ok(sorted.filter((value) => value <= found).length >= share * sorted.length);
        assert.ok(sorted.filter((value) => value < found).length <= share * sorted.length);
      }),
    );
  });

  it('reads each request as often among 20,000 as among 200', () => {
    const rows = fc.sample(anyRow(now), { numRuns: 200, seed: 1 });
    let reads = 0;
    const counted = rows.map(
      (row) =>
        new Proxy(row, {
          get(target, name) {
            reads += 1;
            return Reflect.get(target, name);
          },
        }),
    );
    const readsOf = (count: number): number => {
      reads = 0;
      const many = Array.from({ length: count }, (_, index) => counted[index % 200] ?? auditRow());
      const shown = filtered(many, { ...defaultFilter, period: 'all' }, now);
      assert.equal(summaryOf(shown, open, now).requests, count);
      return reads;
    };
    assert.ok(readsOf(20_000) <= 110 * readsOf(200));
  });
});
