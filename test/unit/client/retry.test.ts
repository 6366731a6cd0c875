import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import {
  backoffMs,
  type ClockAndRandom,
  Cooldowns,
  defaultRetryRules,
  RetryPlan,
  retryAfterMs,
  startWait,
} from '../../../src/client/retry.ts';
import { ServiceError } from '../../../src/util/errors.ts';

const origin = 'https://svc.test';
const network = new ServiceError('network', 'reset', { isRetryable: true });
const firstToken = new ServiceError('timeout', 'first token', { isRetryable: true, code: 'first-token' });
const limited = (retryMs?: number): ServiceError =>
  new ServiceError('rateLimit', '429', { isRetryable: true, retryAfterMs: retryMs });

interface Setting {
  readonly random?: number;
  readonly deadline?: number;
  readonly cooldowns?: Cooldowns;
  readonly clock?: { now: number };
}

function planOf({
  random = 0,
  deadline = 120_000,
  cooldowns = new Cooldowns(),
  clock = { now: 0 },
}: Setting = {}): RetryPlan {
  const clockAndRandom: ClockAndRandom = { now: () => clock.now, random: () => random };
  return new RetryPlan({ rules: defaultRetryRules, cooldowns, url: origin, deadline, clockAndRandom });
}

describe('retry', () => {
  it('waits d/2 + random(d/2) with d = min(8 s, 0.5 s x 2^n)', () => {
    for (const [n, d] of [
      [0, 500],
      [1, 1000],
      [3, 4000],
      [4, 8000],
      [9, 8000],
    ] as const) {
      assert.equal(
        backoffMs(n, defaultRetryRules, () => 0),
        d / 2,
      );
      assert.equal(
        backoffMs(n, defaultRetryRules, () => 0.5),
        d * 0.75,
      );
    }
  });

  it('retries three times', () => {
    const plan = planOf();
    const delays = [1, 2, 3].map((attempt) => {
      const wait = plan.afterFailure(network);
      assert.deepEqual([wait.attempt, wait.error], [attempt, network]);
      return wait.delayMs;
    });
    assert.deepEqual(delays, [250, 500, 1000]);
    assert.throws(() => plan.afterFailure(network), network);
  });

  it('retries a first-token time-out once', () => {
    const plan = planOf();
    plan.afterFailure(firstToken);
    plan.afterFailure(network);
    assert.throws(() => plan.afterFailure(firstToken), firstToken);
  });

  it('does not retry errors that are not retryable', () => {
    const fatal = new ServiceError('auth', '401', {});
    assert.throws(() => planOf().afterFailure(fatal), fatal);
  });

  it('waits as long as the service asks, plus at most 250 ms', () => {
    assert.equal(planOf({ random: 0 }).afterFailure(limited(3000)).delayMs, 3000);
    assert.equal(planOf({ random: 0.999 }).afterFailure(limited(3000)).delayMs, 3249.75);
  });

  it('waits at most 60 s, and not past the deadline', () => {
    assert.equal(planOf().afterFailure(limited(60_000)).delayMs, 60_000);
    assert.throws(() => planOf().afterFailure(limited(60_001)), { retryAfterMs: 60_001 });
    assert.throws(() => planOf({ deadline: 2_000 }).afterFailure(limited(2_001)), { retryAfterMs: 2_001 });
    assert.throws(() => planOf({ deadline: 100 }).afterFailure(network), network);
  });

  it('delays only parallel requests to the same origin', () => {
    const cooldowns = new Cooldowns();
    const clock = { now: 0 };
    const error = limited(3000);
    planOf({ cooldowns, clock }).afterFailure(error);
    clock.now = 1000;
    assert.deepEqual(planOf({ cooldowns, clock }).cooldown(), { attempt: 0, delayMs: 2000, error });
    assert.throws(() => planOf({ cooldowns, clock, deadline: 2500 }).cooldown(), error);
    assert.equal(cooldowns.current('https://other.test', clock.now), undefined);
    clock.now = 3000;
    assert.equal(planOf({ cooldowns, clock }).cooldown(), undefined);
  });

  it('a connection fault delays no other request', () => {
    const cooldowns = new Cooldowns();
    planOf({ cooldowns }).afterFailure(network);
    assert.equal(planOf({ cooldowns }).cooldown(), undefined);
  });

  it('parses Retry-After in all its forms', () => {
    const now = Date.parse('2030-01-01T00:00:00Z');
    for (const [headers, expected] of [
      [{ 'retry-after-ms': '250' }, 250],
      [{ 'retry-after-ms': 'x', 'retry-after': '2' }, 2000],
      [{ 'retry-after': '0.25' }, 250],
      [{ 'retry-after': '0' }, 0],
      [{ 'retry-after': '20s' }, 20_000],
      [{ 'retry-after': '1.5s, 0.5s' }, 1500],
      [{ 'x-ms-retry-after-ms': '300', 'retry-after': '1' }, 300],
      [{ 'retry-after': 'Tue, 01 Jan 2030 00:00:30 GMT' }, 30_000],
      [{ 'retry-after': 'Tue, 01 Jan 2030 00:00:30 GMT', date: 'Tue, 01 Jan 2030 00:00:20 GMT' }, 10_000],
      [{ 'retry-after': 'Mon, 31 Dec 2029 00:00:00 GMT' }, 0],
      // Repeated or in a list: the longest wait.
      [{ 'retry-after': ['1', '3'] }, 3000],
      [{ 'retry-after': '1,1' }, 1000],
      [{ 'retry-after': '2, 5' }, 5000],
      [{ 'retry-after-ms': ['40', '50'] }, 50],
      [{ 'retry-after': ['Tue, 01 Jan 2030 00:00:30 GMT', 'Tue, 01 Jan 2030 00:00:40 GMT'] }, 40_000],
      [{ 'retry-after': 'Tue, 01 Jan 2030 00:00:30 GMT, Tue, 01 Jan 2030 00:00:40 GMT' }, 40_000],
      [{ 'retry-after': ['Tue, 01 Jan 2030 00:00:30 GMT'], date: ['Tue, 01 Jan 2030 00:00:20 GMT', 'x'] }, 10_000],
      [{ 'retry-after': 'Tue Jan  1 00:00:30 2030 GMT' }, 30_000],
      // No wait given: the client's own backoff.
      [{ 'retry-after': '-5' }, undefined],
      [{ 'retry-after': ['-5', 'x'] }, undefined],
      [{ 'retry-after': '-1,-1' }, undefined],
      [{ 'retry-after': `${'9'.repeat(400)}` }, Number.MAX_SAFE_INTEGER * 1000],
      [{ 'retry-after': 'soon' }, undefined],
      [{ 'retry-after': 's' }, undefined],
      [{ 'retry-after': '20ss' }, undefined],
      [{ 'retry-after-ms': '20s' }, undefined],
      [{ 'retry-after': '-5x' }, undefined],
      [{}, undefined],
    ] as const) {
      assert.equal(retryAfterMs(headers, now), expected, JSON.stringify(headers));
    }
  });

  it('a wait ends on time, by "Retry now" or by a cancel, and leaves no listener', async () => {
    const controller = new AbortController();
    assert.equal(await startWait(1, controller.signal).ended, 'elapsed');
    const wait = startWait(60_000, controller.signal);
    wait.retryNow();
    assert.equal(await wait.ended, 'cut-short');
    const cancelled = startWait(60_000, controller.signal);
    controller.abort();
    assert.equal(await cancelled.ended, 'cut-short');
    assert.equal(await startWait(60_000, controller.signal).ended, 'cut-short');
    assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
  });
});
