import assert from 'node:assert/strict';
import { ServiceError, type ServiceErrorInit, type ServiceErrorKind } from '../../../src/util/errors.ts';
import { hostModule } from '../../tools/hostModule.ts';

describe('what a card says', () => {
  async function cardFor(kind: ServiceErrorKind, init: ServiceErrorInit = {}, canContinue = false) {
    const { describeError } = await hostModule<typeof import('../../../src/host/messages/describeError.ts')>(
      'src/host/messages/describeError.ts',
      'en',
    );
    const card = describeError(new ServiceError(kind, 'For the log.', init), { canRetry: true, canContinue });
    assert.ok(card !== null);
    return { ...card, ids: card.actions.map(({ id }) => id) };
  }

  it('of our own failure is that it is ours, and of what class it is', async () => {
    const card = await cardFor('internal', { code: 'internal', reason: 'TypeError' });
    assert.match(`${card.title} ${card.detail}`, /Svc Coder itself failed .*\(TypeError\), not of the service/);
    assert.deepEqual(card.ids, ['retry']);
  });

  it('of an empty answer is that it is empty: no address is wrong', async () => {
    for (const [kind, code] of [
      ['protocol', 'empty'],
      ['protocol', 'no-choices'],
      ['protocol', 'no-content'],
      ['interrupted', 'end'],
    ] as const) {
      const card = await cardFor(kind, { code });
      assert.equal(card.title, 'The answer is empty', code);
      assert.doesNotMatch(card.detail ?? '', /svc\.baseUrl|is kept/);
      assert.ok(!card.ids.includes('openSettings'));
    }
    const noCode = await cardFor('protocol', { code: 'no-code' });
    assert.doesNotMatch(`${noCode.title} ${noCode.detail}`, /svc\.baseUrl|interface/);
    assert.deepEqual(noCode.ids, ['retry']);
  });

  it('of an answer that broke off is what is kept of it, where something is', async () => {
    const card = await cardFor('interrupted', { code: 'end' }, true);
    assert.deepEqual([card.title, card.detail], ['The answer broke off', 'What came before is kept.']);
  });

  it('of a tool call that was cut is that the answer was cut', async () => {
    const card = await cardFor('protocol', { code: 'tool-call-cut', reason: 'length' });
    assert.match(card.title, /cut at the length limit/);
    assert.equal(card.actions.at(-1)?.setting, 'svc.request.maxTokens');
  });

  it('of a time limit is which setting it is', async () => {
    for (const [code, setting] of [
      ['first-token', 'svc.request.timeout.firstToken'],
      ['stall', 'svc.request.timeout.betweenBytes'],
      ['attempts', 'svc.request.timeout.attempts'],
      ['answer', 'svc.request.timeout.answer'],
    ] as const) {
      const card = await cardFor('timeout', { code });
      assert.ok(card.detail?.includes(setting));
      assert.equal(card.actions.at(-1)?.setting, setting);
    }
    assert.deepEqual((await cardFor('timeout', { code: 'check' })).ids, ['retry', 'checkHealth']);
    const connect = await cardFor('network', { code: 'UND_ERR_CONNECT_TIMEOUT' });
    assert.equal(connect.actions.at(-1)?.setting, 'svc.request.timeout.connect');
  });

  it('of an error inside a 200 is not that 200 is a failure', async () => {
    const card = await cardFor('server', { status: 200, serviceMessage: 'Out of order' });
    assert.equal(card.title, 'The service answered with an error');
    assert.match(card.detail ?? '', /^Out of order/);
    assert.equal((await cardFor('server', { status: 502 })).title, 'The service failed (502)');
  });
});
