import assert from 'node:assert/strict';
import { AnswerTime, type Progress } from '../../../src/edits/answerTime.ts';

/** What is told each half second of an answer at this speed (characters a second), after this wait for the first of it. */
function told(
  expected: number | null,
  { speed, wait = 0, length = expected ?? 0 }: Record<'speed', number> & Partial<Record<'wait' | 'length', number>>,
) {
  const time = new AnswerTime(1_000, expected);
  const found: (Progress | null)[] = [];
  for (let ms = 0; (ms / 1_000) * speed < length; ms += 500)
    found.push(time.at(Math.round((ms / 1_000) * speed) + 1, 1_000 + wait + ms));
  return found;
}

const seconds = (each: Progress | null) => (each === null || each === 'arriving' ? each : each.secondsLeft);

describe('how long an answer takes', () => {
  it('is not told for one of at most 10 s', () => {
    assert.deepEqual(new Set(told(3_000, { speed: 320 })), new Set([null]));
    assert.deepEqual(new Set(told(null, { speed: 320, length: 3_000 })), new Set([null]));
  });

  it('is told from the first second of a longer one on, in steps of 5 s, to its end', () => {
    const all = told(6_400, { speed: 320 }).map(seconds);
    assert.deepEqual(all.slice(0, 3), [null, null, 20]);
    assert.equal(all.at(-1), 5);
    const numbers = all.slice(2).map(Number);
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => b - a),
    );
    assert.ok(numbers.every((each) => each % 5 === 0));
  });

  it('counts the wait for the first of it', () => {
    assert.equal(
      told(2_000, { speed: 320, wait: 4_000 }).some((each) => each !== null),
      true,
    );
    assert.equal(
      told(2_000, { speed: 320 }).some((each) => each !== null),
      false,
    );
  });

  it('is that it arrives after 10 s, where its length is unknown, or was exceeded', () => {
    const all = told(null, { speed: 320, length: 6_400 });
    assert.equal(all[20], null);
    assert.equal(all[21], 'arriving');
    const time = new AnswerTime(0, 100);
    assert.equal(time.at(1, 0), null);
    assert.equal(time.at(200, 9_000), null);
    assert.equal(time.at(300, 11_000), 'arriving');
  });

  it('is not told before some of it has arrived, or while it stands still', () => {
    const time = new AnswerTime(0, 1_000);
    assert.equal(time.at(0, 60_000), null);
    const other = new AnswerTime(0, 1_000);
    assert.equal(other.at(1, 0), null);
    assert.equal(other.at(1, 2_000), null);
  });
});
