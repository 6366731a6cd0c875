import assert from 'node:assert/strict';
import { TypingRhythm } from '../../../../src/session/inline/rhythm.ts';

/** Types with this interval, and returns the time of the last keystroke. */
function type(rhythm: TypingRhythm, { count, interval, from = 0 }: { count: number; interval: number; from?: number }) {
  for (let index = 0; index < count; index += 1) rhythm.typed(from + index * interval);
  return from + (count - 1) * interval;
}

describe('inline completions: the wait before a request', () => {
  it('is short for the first request, at any speed', () => {
    for (const interval of [60, 167, 333, 900]) {
      const rhythm = new TypingRhythm();
      const now = type(rhythm, { count: 10, interval });
      assert.equal(rhythm.wait(now, false), 40, String(interval));
    }
  });

  it('is longer than the interval of the keystrokes after a request that was of no use', () => {
    for (const interval of [100, 167, 200]) {
      const rhythm = new TypingRhythm();
      const now = type(rhythm, { count: 10, interval });
      rhythm.asked(now);
      assert.equal(rhythm.wait(now, false), 1.5 * interval);
    }
  });

  it('is that of a pause after several of no use', () => {
    for (const [interval, wait] of [
      [60, 250],
      [167, 501],
      [333, 600],
      [800, 1_040],
    ] as const) {
      const rhythm = new TypingRhythm();
      const now = type(rhythm, { count: 10, interval });
      rhythm.asked(now - interval);
      rhythm.asked(now);
      assert.equal(rhythm.wait(now, false), wait);
    }
  });

  it('follows a user whose speed changes', () => {
    const rhythm = new TypingRhythm();
    const slow = type(rhythm, { count: 10, interval: 333 });
    rhythm.asked(slow);
    assert.equal(rhythm.wait(slow, false), 350);
    const quick = type(rhythm, { count: 8, interval: 100, from: slow + 100 });
    assert.equal(rhythm.wait(quick, false), 150);
  });

  it('is short again when a completion was followed, at the beginning of a line, and after a pause or a while', () => {
    const useless = (): { rhythm: TypingRhythm; now: number } => {
      const rhythm = new TypingRhythm();
      const now = type(rhythm, { count: 10, interval: 167 });
      for (let count = 0; count < 5; count += 1) rhythm.asked(now);
      return { rhythm, now };
    };
    const { rhythm, now } = useless();
    assert.equal(rhythm.wait(now, false), 501);
    assert.equal(rhythm.wait(now, true), 40);
    assert.equal(rhythm.wait(now + 6_000, false), 40);
    rhythm.typed(now + 999);
    assert.equal(rhythm.wait(now + 999, false), 501);
    rhythm.typed(now + 1_999);
    assert.equal(rhythm.wait(now + 1_999, false), 40);
    const other = useless();
    other.rhythm.followed();
    assert.equal(other.rhythm.wait(other.now, false), 40);
  });

  it('assumes a usual speed before it knows one', () => {
    const rhythm = new TypingRhythm();
    rhythm.typed(0);
    rhythm.asked(0);
    assert.equal(rhythm.wait(0, false), 300);
  });
});
