import assert from 'node:assert/strict';
import { FlushClock } from '../../../src/webview/markdown/flushClock.ts';

/** A clock that stands still until a test advances it. */
function stage(cost: number) {
  let now = 0;
  let frame: (() => void) | undefined;
  const waits: { ms: number; callback: () => void }[] = [];
  const seen = { flushes: 0 };
  const clock = new FlushClock(
    {
      now: () => now,
      nextFrame: (callback) => {
        assert.equal(frame, undefined, 'one frame at a time');
        frame = callback;
      },
      after: (ms, callback) => waits.push({ ms, callback }),
    },
    () => {
      seen.flushes += 1;
      now += cost;
    },
  );
  const draw = (): void => {
    const callback = frame;
    frame = undefined;
    callback?.();
  };
  return { clock, seen, waits, draw, isFrameAsked: () => frame !== undefined };
}

describe('webview/markdown/flushClock', () => {
  it('flushes once per frame, for any number of calls', () => {
    const { clock, seen, draw } = stage(1);
    clock.request();
    clock.request();
    assert.equal(seen.flushes, 0);
    draw();
    assert.equal(seen.flushes, 1);
  });

  it('waits four times as long as the last flush took', () => {
    const { clock, seen, waits, draw, isFrameAsked } = stage(5);
    clock.request();
    draw();
    clock.request();
    assert.equal(isFrameAsked(), false);
    assert.equal(waits[0]?.ms, 20);
    waits[0]?.callback();
    draw();
    assert.equal(seen.flushes, 2);
  });

  it('does not flush after a cancel, and starts again afterwards', () => {
    const { clock, seen, draw } = stage(1);
    clock.request();
    clock.cancel();
    draw();
    assert.equal(seen.flushes, 0);
    clock.request();
    draw();
    assert.equal(seen.flushes, 1);
  });
});
