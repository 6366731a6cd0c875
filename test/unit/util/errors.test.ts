import assert from 'node:assert/strict';
import { PolicyError } from '../../../src/policy/policyError.ts';
import { errorKinds, isFrom, isKindFrom } from '../../../src/util/errorKinds.ts';
import { asServiceError, codeOf, isServiceError, ServiceError, withCode, withFacts } from '../../../src/util/errors.ts';

describe('errors', () => {
  it('have a code of their own kind only: the compiler rejects all others', () => {
    // @ts-expect-error: no code of any kind.
    new ServiceError('gate', '', { code: 'typo' });
    // @ts-expect-error: a code of another kind.
    new ServiceError('gate', '', { code: 'no-key' });
    // @ts-expect-error: only our own code makes such an error, so it has one.
    new ServiceError('gate', '', {});
    // @ts-expect-error: codes of others are not ours.
    new ServiceError('network', '', { code: 'ECONNREFUSED' });
    // @ts-expect-error: nobody else makes an error of this kind.
    new ServiceError('policy', '', { code: 'settings', externalCode: 'EPERM' });
    const error: ServiceError = new ServiceError('auth', '', { code: 'no-key' });
    assert.equal(error.kind === 'auth' && error.code === 'no-key', true);
  });

  it('have the details of their own kind only, as data', () => {
    // @ts-expect-error: details of another kind.
    new ServiceError('policy', '', { code: 'settings', details: { size: { bytes: 2, limit: 1 } } });
    // @ts-expect-error: a name without words.
    new ServiceError('gate', '', { code: 'changed', details: { changes: ['weather'] } });
    // @ts-expect-error: this kind has none.
    new ServiceError('network', '', { details: { cut: 'length' } });
    const details = { tokens: 3 };
    const error = withCode(new ServiceError('gate', '', { code: 'summary-wanted', details }), 'conversation-too-long');
    assert.equal(error.details, details);
    assert.deepEqual(new ServiceError('gate', '', { code: 'gone' }).details, {});
  });

  it('come from one source each, which the compiler knows', () => {
    const errors: readonly ServiceError[] = [
      new ServiceError('gate', '', { code: 'git-failed' }),
      new ServiceError('aborted', '', { code: 'aborted' }),
      new ServiceError('server', '', {}),
    ];
    const ofRules = errors.filter((error) => isFrom(error, 'rules'));
    for (const { kind } of ofRules) kind satisfies 'gate' | 'policy';
    assert.deepEqual(
      ofRules.map(({ kind }) => kind),
      ['gate'],
    );
    assert.deepEqual(
      errors.map(({ kind }) => [isKindFrom(kind, 'user'), isKindFrom(kind, 'transport'), isKindFrom(kind, 'service')]),
      [
        [false, false, false],
        [true, false, false],
        [false, true, false],
      ],
    );
  });

  it('have each code once per kind', () => {
    for (const [kind, { codes }] of Object.entries(errorKinds))
      assert.equal(new Set<string>(codes).size, codes.length, kind);
  });

  it('name a code of ours or of others as one string', () => {
    assert.equal(codeOf(new ServiceError('network', '', { externalCode: 'EPIPE' })), 'EPIPE');
    assert.equal(codeOf(new ServiceError('auth', '', { code: 'no-key' })), 'no-key');
    assert.equal(codeOf(new ServiceError('server', '', { status: 500 })), undefined);
  });

  it('keep everything but the facts that change', () => {
    const cause = new Error('cause');
    const first = new ServiceError('proxy', 'For the log.', { externalCode: 'EPIPE', status: 502, file: 'a', cause });
    const { message, kind, externalCode, status, file, host, isRetryable } = withFacts(first, {
      host: 'b',
      status: 503,
    });
    assert.deepEqual(
      [message, kind, externalCode, status, file, host, isRetryable],
      ['For the log.', 'proxy', 'EPIPE', 503, 'a', 'b', false],
    );
    assert.equal(withFacts(first, {}).cause, cause);
    assert.equal(withFacts(first, { file: undefined }).file, undefined);
  });

  it('are told from all others by their class, whatever these are called', () => {
    for (const error of [new PolicyError([]), new ServiceError('aborted', '', { code: 'closed' })]) {
      assert.ok(isServiceError(error) && asServiceError(error) === error);
    }
    const other = Object.assign(new Error(''), { name: 'ServiceError', kind: 'gate', code: 'gone', reason: 'secret' });
    assert.equal(isServiceError(other), false);
    assert.deepEqual([asServiceError(other).kind, asServiceError(other).reason], ['internal', 'ServiceError']);
    assert.deepEqual([asServiceError(new TypeError('x')).code, asServiceError(1).reason], ['internal', 'number']);
  });
});
