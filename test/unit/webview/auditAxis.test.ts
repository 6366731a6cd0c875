import assert from 'node:assert/strict';
import fc from 'fast-check';
import { labelStep, plotFor, ticksFor } from '../../../src/webview/audit/charts/axis.ts';
import { formatsFor } from '../../../src/webview/audit/format.ts';

describe('webview/audit: axes', () => {
  it('has round numbers', () => {
    assert.deepEqual(ticksFor(0), [0, 1]);
    assert.deepEqual(ticksFor(1), [0, 1]);
    assert.deepEqual(ticksFor(3), [0, 1, 2, 3]);
    assert.deepEqual(ticksFor(38), [0, 10, 20, 30, 40]);
    assert.deepEqual(ticksFor(85_000), [0, 50_000, 100_000]);
    assert.deepEqual(ticksFor(Number.NaN), [0, 1]);
  });

  it('reaches the largest value in a few even steps', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 50 }), (most) => {
        const ticks = ticksFor(most);
        assert.ok(ticks.length >= 2 && ticks.length <= 6, String(ticks));
        assert.ok((ticks.at(-1) ?? 0) >= most && (ticks.at(-2) ?? 0) < most);
        assert.ok(ticks.every((tick, index) => tick === index * (ticks[1] ?? 0)));
      }),
    );
  });

  it('labels do not overlap', () => {
    assert.equal(labelStep(7, 50, 40), 1);
    assert.equal(labelStep(30, 10, 40), 5);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 70 }),
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ max: 90, min: 1 }),
        (count, pitch, width) => {
          const step = labelStep(count, pitch, width);
          assert.ok(step >= count || step * pitch > width);
        },
      ),
    );
  });

  it('the last column always has its label, and every label is inside the chart', () => {
    const wide = plotFor(600, 30, 32, 42);
    assert.deepEqual([wide.left, wide.step], [32, 5]);
    fc.assert(
      fc.property(
        fc.integer({ min: 140, max: 1_400 }),
        fc.integer({ min: 1, max: 64 }),
        fc.integer({ min: 18, max: 50 }),
        fc.integer({ min: 6, max: 60 }),
        (width, count, scaleWidth, labelWidth) => {
          const { left, right, pitch, step } = plotFor(width, count, scaleWidth, labelWidth);
          const middle = (index: number): number => left + (index + 0.5) * pitch;
          assert.ok(left >= scaleWidth && pitch > 0);
          assert.ok(Math.abs(middle(count - 1) + pitch / 2 + right - width) < 0.001);
          const labeled = Array.from({ length: count }, (_, index) => index).filter(
            (index) => (count - 1 - index) % step === 0,
          );
          assert.equal(labeled.at(-1), count - 1);
          const half = labelWidth / 2 - 1;
          assert.ok(labeled.every((index) => middle(index) >= half && middle(index) + half <= width));
          assert.ok(labeled.length === 1 || step * pitch >= labelWidth);
        },
      ),
    );
  });
});

describe('webview/audit: formatted numbers', () => {
  const { duration, bytes, percent, tick } = formatsFor('en');

  it('formats durations and sizes with fitting units', () => {
    assert.deepEqual([0, 999.6, 1_000, 1_849, 59_940, 59_960, 125_000].map(duration), [
      '0 ms',
      '1 sec',
      '1 sec',
      '1.8 sec',
      '59.9 sec',
      '1 min 0 sec',
      '2 min 5 sec',
    ]);
    assert.deepEqual([0, 1_023, 1_536, 3_145_728].map(bytes), ['0 bytes', '1,023 bytes', '1.5 kB', '3 MB']);
  });

  it('a small share is not shown as zero', () => {
    assert.deepEqual([percent(0, 0), percent(3, 649), percent(1, 3)], ['0%', '0.5%', '33%']);
  });

  it('accepts any language of VS Code', () => {
    const german = formatsFor('de');
    assert.equal(german.number(1_234.5), '1.234,5');
    assert.deepEqual([german.duration(1_849), german.bytes(1_536)], ['1,8 Sek.', '1,5 kB']);
    for (const language of ['', 'qps-ploc', 'zh-cn', 'no such']) {
      assert.notEqual(formatsFor(language).tick(0, 'day'), '', language);
    }
    assert.match(tick(new Date(2026, 0, 5).getTime(), 'day'), /^Jan 5$/);
    assert.match(tick(new Date(2026, 0, 5).getTime(), 'hour'), /^00:00$/);
  });
});
