import assert from 'node:assert/strict';
import { pauseAfter } from '../../../../src/features/inline/vscode/pause.ts';
import { Pauses } from '../../../../src/features/inline/vscode/pauses.ts';
import { ServiceError, type ServiceErrorInit, type ServiceErrorKind } from '../../../../src/util/errors.ts';

const errorOf = (kind: ServiceErrorKind, init: ServiceErrorInit = {}) => new ServiceError(kind, kind, init);
const until = (kind: ServiceErrorKind, init: ServiceErrorInit = {}, faults = 1): number | undefined =>
  pauseAfter(errorOf(kind, init), 1_000, faults)?.until;

const passing = [
  ...['certificate', 'proxy', 'network', 'timeout', 'server', 'protocol', 'interrupted', 'storage', 'internal'],
] as readonly ServiceErrorKind[];

describe('inline completions: after a fault', () => {
  it('wait as long as the service asks, up to an hour', () => {
    assert.equal(until('rateLimit', { retryAfterMs: 7_000 }), 8_000);
    assert.equal(until('server', { retryAfterMs: 7_000 }), 8_000);
    assert.equal(until('rateLimit', { retryAfterMs: 1e12 }), 3_601_000);
    // A service that asks for no wait and keeps failing is not asked more often.
    assert.equal(until('server', { retryAfterMs: 0 }, 3), 121_000);
  });

  it('wait a minute if the service gives no time', () => assert.equal(until('rateLimit'), 61_000));

  it('wait longer after each transient fault, up to a limit', () => {
    for (const kind of passing) {
      const waits = [1, 2, 3, 4, 5, 6, 50, 5_000].map((faults) => (until(kind, {}, faults) ?? 0) - 1_000);
      assert.deepEqual(waits, [30_000, 60_000, 120_000, 240_000, 480_000, 600_000, 600_000, 600_000], kind);
    }
  });

  it('wait for a change if only a change helps', () => {
    for (const kind of ['auth', 'permission', 'policy'] as const) assert.equal(until(kind), Number.POSITIVE_INFINITY);
    assert.equal(until('request', { status: 404 }), Number.POSITIVE_INFINITY);
    assert.equal(until('gate', { code: 'untrusted' }), Number.POSITIVE_INFINITY);
  });

  it('wait, and go on by themselves, after a page of the network or a quota', () => {
    for (const kind of ['auth', 'permission'] as const) assert.equal(until(kind, { code: 'page' }), 31_000);
    const quota = pauseAfter(errorOf('request', { code: 'quota', status: 400 }), 1_000, 1);
    assert.deepEqual([quota?.where, quota?.until], ['everywhere', 31_000]);
    assert.equal(pauseAfter(errorOf('request', { code: 'content-filter', status: 403 }), 1_000, 1)?.where, 'document');
  });

  it('continue after a cancel, and after a document that may not be sent', () => {
    assert.equal(until('aborted'), undefined);
    assert.equal(until('gate', { code: 'excluded' }), undefined);
  });
});

describe('inline completions: pauses', () => {
  it('apply to one document if the service rejects only its request', () => {
    for (const status of [400, 413, 422]) {
      const pauses = new Pauses();
      pauses.failed('file:///a', errorOf('request', { status }), 0);
      assert.deepEqual([pauses.current('file:///a', 1)?.where, pauses.current('file:///b', 1)], ['document', null]);
      assert.equal(pauses.current('file:///a', 30_000), null);
    }
    const pauses = new Pauses();
    pauses.failed('file:///a', errorOf('request', { status: 500, code: 'context-length' }), 0);
    assert.equal(pauses.current('file:///b', 1), null);
  });

  it('grow with each fault in a row, and start over after an answer', () => {
    const pauses = new Pauses();
    const server = errorOf('server', { status: 503 });
    assert.equal(pauses.failed('a', server, 0)?.until, 30_000);
    assert.equal(pauses.failed('b', server, 30_000)?.until, 90_000);
    pauses.answered('b');
    assert.equal(pauses.current('a', 40_000), null);
    assert.equal(pauses.failed('a', server, 100_000)?.until, 130_000);
  });

  it('end when the user retries or a setting changes, not on an aborted request', () => {
    const pauses = new Pauses();
    pauses.failed('a', errorOf('auth'), 0);
    assert.equal(pauses.failed('a', errorOf('aborted'), 1), null);
    assert.equal(pauses.current('other', 1e15)?.error.kind, 'auth');
    pauses.clear();
    assert.equal(pauses.current('a', 1), null);
  });

  it('pauses are remembered for the last hundred documents that failed', () => {
    const pauses = new Pauses();
    for (let index = 0; index <= 100; index += 1) pauses.failed(`${index}`, errorOf('request', { status: 400 }), 0);
    assert.deepEqual([pauses.current('0', 1), pauses.current('1', 1)?.faults], [null, 1]);
  });
});
