import assert from 'node:assert/strict';
import fc from 'fast-check';
import { dayStart, type Spans, spanAt, spansOf } from '../../../src/webview/audit/charts/spans.ts';
import { dayMs, hourMs, inTimeZone } from './auditSamples.ts';

const lengths = ({ starts, end }: Spans): readonly number[] =>
  starts.map((start, index) => ((starts[index + 1] ?? end) - start) / hourMs);
const local = (text: string): number => new Date(text).getTime();

describe('webview/audit: columns over time', () => {
  it('a day has 23 hours when daylight saving time begins, and 25 when it ends', () => {
    inTimeZone('Europe/Berlin', () => {
      const days = (from: string, to: string): readonly number[] => lengths(spansOf(local(from), local(to)));
      assert.deepEqual(days('2026-03-27T12:00', '2026-03-30T12:00'), [24, 24, 23, 24]);
      assert.deepEqual(days('2026-10-23T12:00', '2026-10-26T12:00'), [24, 24, 25, 24]);
    });
  });

  it('the repeated hour has two columns, the skipped one none', () => {
    inTimeZone('Europe/Berlin', () => {
      const day = (date: string): Spans => spansOf(dayStart(local(date)), dayStart(local(date), 1) - 1);
      const twice = day('2026-10-25T12:00');
      assert.equal(twice.starts.length, 25);
      assert.deepEqual(
        twice.starts.slice(1, 5).map((start) => new Date(start).getHours()),
        [1, 2, 2, 3],
      );
      assert.equal(spanAt(twice, Date.parse('2026-10-25T00:30:00Z')), 2);
      assert.equal(spanAt(twice, Date.parse('2026-10-25T01:30:00Z')), 3);
      assert.equal(day('2026-03-29T12:00').starts.length, 23);
    });
  });

  it('a day without midnight starts at its first moment', () => {
    inTimeZone('America/Santiago', () => {
      // The clock went from 00:00 to 01:00 on this day.
      const { starts } = spansOf(local('2025-09-05T12:00'), local('2025-09-09T12:00'));
      assert.equal(starts.length, 5);
      assert.equal(new Date(starts[2] ?? 0).getDate(), 7);
      assert.equal(new Date(starts[2] ?? 0).getHours(), 1);
    });
  });

  it('uses the unit that keeps the columns legible', () => {
    const to = local('2026-11-21T12:00');
    const unit = (days: number): string => spansOf(to - days * dayMs, to).unit;
    assert.deepEqual([1, 2, 3, 62, 63, 430, 440, 1_800, 2_000].map(unit), [
      'hour',
      'hour',
      'day',
      'day',
      'week',
      'week',
      'month',
      'month',
      'year',
    ]);
  });

  it('weeks begin on Monday, months and years on their first day', () => {
    const to = local('2026-11-21T12:00');
    const starts = (days: number): readonly Date[] =>
      spansOf(to - days * dayMs, to).starts.map((start) => new Date(start));
    assert.ok(starts(100).every((start) => start.getDay() === 1 && start.getHours() === 0));
    assert.ok(starts(900).every((start) => start.getDate() === 1));
    assert.ok(starts(4_000).every((start) => start.getMonth() === 0 && start.getDate() === 1));
  });

  it('covers any period without a gap, in a few columns', () => {
    for (const zone of ['UTC', 'Europe/Berlin', 'America/Santiago', 'Australia/Lord_Howe']) {
      inTimeZone(zone, () => {
        const year = 366 * dayMs;
        fc.assert(
          fc.property(
            fc.integer({ min: 0, max: 60 * year }),
            fc.nat(200 * year),
            fc.float({ min: 0, max: 1, noNaN: true }),
            (from, length, part) => {
              const spans = spansOf(from, from + length);
              const { starts, end } = spans;
              assert.ok((starts[0] ?? Number.NaN) <= from && end > from + length);
              assert.ok(starts.length <= 64, `${starts.length} columns`);
              assert.ok(lengths(spans).every((hours) => hours > 0));
              const at = Math.floor(from + length * part);
              const index = spanAt(spans, at);
              assert.ok((starts[index] ?? Number.NaN) <= at && at < (starts[index + 1] ?? end));
            },
          ),
          { numRuns: 200 },
        );
      });
    }
  });

  it('times outside of the period are in no column', () => {
    const spans = spansOf(10 * dayMs, 20 * dayMs);
    assert.equal(spanAt(spans, 8 * dayMs), -1);
    assert.equal(spanAt(spans, spans.end), -1);
  });
});
