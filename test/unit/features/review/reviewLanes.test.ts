import assert from 'node:assert/strict';
import { type Lane, Lanes, startInFlight } from '../../../../src/features/review/vscode/lanes.ts';

/** Fills the lanes, and returns those that were entered. */
function fill(lanes: Lanes): Lane[] {
  const entered: Lane[] = [];
  while (lanes.hasRoom) entered.push(lanes.enter());
  return entered;
}

describe('the simultaneous requests of a review', () => {
  it('begin with four, or with the setting if it is less', () => {
    assert.equal(fill(new Lanes(8)).length, startInFlight);
    assert.equal(fill(new Lanes(3)).length, 3);
    assert.equal(fill(new Lanes(1)).length, 1);
    assert.equal(fill(new Lanes(0)).length, 1);
  });

  it('become one more with each that is accepted, up to the setting', () => {
    const lanes = new Lanes(6);
    const running = fill(lanes);
    for (const expected of [5, 6, 6, 6]) {
      const [first] = running.splice(0, 1);
      assert.ok(first !== undefined);
      lanes.accepted(first);
      lanes.accepted(first);
      lanes.leave(first);
      running.push(...fill(lanes));
      assert.equal(running.length, expected);
    }
  });

  it('become as many as the service answers when it refuses one', () => {
    let now = 1_000;
    const lanes = new Lanes(8, () => now);
    const [first, second, third, fourth] = fill(lanes);
    assert.ok(first !== undefined && second !== undefined && third !== undefined && fourth !== undefined);
    const wait = { delayMs: 1_000, isRefusal: true };
    lanes.waits(third, wait);
    lanes.waits(fourth, wait);
    lanes.leave(first);
    assert.equal(lanes.hasRoom, false, 'two wait, one is answered');
    lanes.leave(second);
    assert.equal(lanes.hasRoom, false);
    // Further waits of one that was refused change nothing.
    now += 1_000;
    lanes.waits(third, wait);
    lanes.leave(third);
    assert.deepEqual([lanes.hasRoom, fill(lanes).length], [true, 1]);
  });

  it('do not become fewer for a wait with another reason', () => {
    const lanes = new Lanes(8);
    for (const lane of fill(lanes)) {
      lanes.waits(lane, { delayMs: 1_000, isRefusal: false });
      lanes.leave(lane);
    }
    assert.equal(fill(lanes).length, startInFlight);
  });

  it('are never less than one', () => {
    const lanes = new Lanes(8);
    for (const lane of fill(lanes)) {
      lanes.refused(lane);
      lanes.leave(lane);
    }
    assert.equal(fill(lanes).length, 1);
  });

  it('become more again, but ever more rarely, after a refusal', () => {
    const lanes = new Lanes(8);
    const neededForOneMore = (): number => {
      let answers = 0;
      for (;;) {
        const running = fill(lanes);
        const count = running.length;
        for (const lane of running) lanes.leave(lane);
        const one = lanes.enter();
        lanes.accepted(one);
        lanes.leave(one);
        answers += 1;
        const after = fill(lanes);
        for (const lane of after) lanes.leave(lane);
        if (after.length > count) return answers;
      }
    };
    const refuse = (): boolean => {
      const [first, ...others] = fill(lanes);
      assert.ok(first !== undefined);
      const isAnsweringOthers = lanes.refused(first);
      for (const lane of [first, ...others]) lanes.leave(lane);
      return isAnsweringOthers;
    };
    assert.equal(refuse(), true);
    assert.equal(neededForOneMore(), 9);
    assert.equal(refuse(), true);
    assert.equal(neededForOneMore(), 18);
  });
});
