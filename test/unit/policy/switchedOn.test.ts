import assert from 'node:assert/strict';
import { isSwitchedOn, switchedOffBy } from '../../../src/policy/switchedOn.ts';

describe('policy: what only the user switches on', () => {
  const cases: readonly [string, Parameters<typeof isSwitchedOn>[0], boolean][] = [
    ['is off where nobody says anything', { user: [undefined, undefined], inner: [[undefined, undefined]] }, false],
    ['is on where the user says so', { user: [undefined, true], inner: [] }, true],
    ['is on for a language alone', { user: [true, undefined], inner: [] }, true],
    ['is off for a language alone', { user: [false, true], inner: [] }, false],
    ['is not switched on by a workspace', { user: [undefined, undefined], inner: [[true, true]] }, false],
    ['is switched off by a workspace', { user: [undefined, true], inner: [[undefined, false]] }, false],
    [
      'is switched off by a folder for a language',
      {
        user: [true, true],
        inner: [
          [undefined, true],
          [false, true],
        ],
      },
      false,
    ],
    ['is off for a value that is none', { user: [undefined, 'yes'], inner: [] }, false],
    ['is off where a workspace says what is no value', { user: [undefined, true], inner: [['on', undefined]] }, false],
  ];
  it('names what switches it off: the first of the inner layers, or the user', () => {
    assert.equal(switchedOffBy({ user: [true], inner: [[undefined], [false], [false]] }), 1);
    assert.equal(switchedOffBy({ user: [undefined], inner: [[false]] }), 0);
    assert.equal(switchedOffBy({ user: [undefined], inner: [[true]] }), 'user');
    assert.equal(switchedOffBy({ user: [true], inner: [[true]] }), null);
  });

  for (const [what, layers, isOn] of cases) it(what, () => assert.equal(isSwitchedOn(layers), isOn));
});
