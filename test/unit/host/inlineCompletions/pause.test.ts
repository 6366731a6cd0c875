import assert from 'node:assert/strict';
import { pauseAfter } from '../../../../src/host/inlineCompletions/pause.ts';
import { ServiceError, type ServiceErrorKind } from '../../../../src/util/errors.ts';

const until = (kind: ServiceErrorKind, init = {}): number | undefined =>
  pauseAfter(new ServiceError(kind, kind, init), 1_000)?.until;

describe('inline completions: after a fault', () => {
  it('waits as long as the service asks', () => assert.equal(until('rateLimit', { retryAfterMs: 7_000 }), 8_000));
  it('waits a minute where the service names no time', () => assert.equal(until('rateLimit'), 61_000));
  it('waits half a minute after what may pass', () => {
    for (const kind of ['network', 'timeout', 'server', 'protocol', 'interrupted'] as const)
      assert.equal(until(kind), 31_000);
  });
  it('waits for a change where only a change helps', () => {
    for (const kind of ['auth', 'permission', 'policy', 'request', 'certificate', 'proxy'] as const)
      assert.equal(until(kind), Number.POSITIVE_INFINITY);
    assert.equal(until('gate', { code: 'untrusted' }), Number.POSITIVE_INFINITY);
  });
  it('goes on after a cancel, and beside a document that may not leave', () => {
    assert.equal(until('aborted'), undefined);
    assert.equal(until('gate', { code: 'excluded' }), undefined);
  });
});
