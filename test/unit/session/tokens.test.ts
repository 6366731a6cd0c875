import assert from 'node:assert/strict';
import { bytesPerToken, Calibration, estimateTokens, tokensIn } from '../../../src/send/budget/tokens.ts';

const large = 32 * 1024;

/** Learns from a request that has so many bytes a token. */
const learn = (calibration: Calibration, perToken: number, { bytes = large, target = 'a' } = {}) =>
  calibration.learn(target, bytes, bytes / perToken);

describe('the estimate of tokens', () => {
  it('counts bytes of UTF-8, and the delimiters of messages', () => {
    assert.equal(estimateTokens('ä'.repeat(16)), 10);
    assert.equal(tokensIn(33, 3, 3.2), 11 + 12);
  });

  it('comes closer to what a service counts with each answer, within bounds', () => {
    const calibration = new Calibration();
    assert.equal(calibration.perToken('a'), bytesPerToken);
    assert.equal(learn(calibration, 4), 'learned');
    assert.ok(Math.abs(calibration.perToken('a') - (0.7 * 3.2 + 0.3 * 4)) < 1e-9);
    assert.equal(calibration.perToken('b'), bytesPerToken);
    for (let answer = 0; answer < 40; answer += 1) learn(calibration, 0.97);
    assert.ok(Math.abs(calibration.perToken('a') - 1.2) < 0.01);
    const small = { bytes: 1024 };
    for (let answer = 0; answer < 40; answer += 1) learn(calibration, 20, small);
    assert.ok(Math.abs(calibration.perToken('a') - 8) < 0.01);
  });

  it('takes far fewer tokens for a service that reads less: 7 bytes a token, after three answers 1.8 times as many', () => {
    const calibration = new Calibration();
    assert.equal(learn(calibration, 7.1), 'reads-less');
    assert.equal(calibration.perToken('a'), bytesPerToken);
    for (const perToken of [3.2, 3.2]) assert.equal(learn(calibration, perToken), 'learned');
    // Another service has estimates of its own.
    assert.equal(learn(calibration, 6.9, { target: 'b' }), 'learned');
    assert.equal(learn(calibration, 3.2), 'learned');
    assert.equal(learn(calibration, 3.2 * 1.81), 'reads-less');
    assert.equal(learn(calibration, 3.2 * 1.81, { bytes: 24 * 1024 - 1 }), 'learned');
    const other = new Calibration();
    for (const _ of [1, 2, 3]) learn(other, 3.2);
    assert.equal(learn(other, 3.2 * 1.79), 'learned');
  });

  it('is kept for 64 services and models: the one that answered longest ago is forgotten', () => {
    const calibration = new Calibration();
    const targets = Array.from({ length: 64 }, (_, at) => `target ${at}`);
    for (const target of targets) learn(calibration, 4, { target });
    learn(calibration, 4, { target: 'target 0' });
    learn(calibration, 4, { target: 'one more' });
    assert.equal(calibration.perToken('target 1'), bytesPerToken);
    for (const target of ['one more', ...targets.filter((one) => one !== 'target 1')]) {
      assert.notEqual(calibration.perToken(target), bytesPerToken, target);
    }
  });
});
