import assert from 'node:assert/strict';
import { ServiceError, type ServiceErrorInit, type ServiceErrorKind } from '../../../src/util/errors.ts';
import { hostModule } from '../../tools/hostModule.ts';

describe('the text of an error card', () => {
  async function cardFor(kind: ServiceErrorKind, init: ServiceErrorInit = {}, canContinue = false) {
    const { describeError } = await hostModule<typeof import('../../../src/host/messages/describeError.ts')>(
      'src/host/messages/describeError.ts',
      'en',
    );
    const card = describeError(new ServiceError(kind, 'For the log.', init), { canRetry: true, canContinue });
    assert.ok(card !== null);
    return { ...card, ids: card.actions.map(({ id }) => id) };
  }

  it('names an internal error as ours, with its class', async () => {
    const card = await cardFor('internal', { code: 'internal', reason: 'TypeError' });
    assert.match(`${card.title} ${card.detail}`, /Svc Coder itself failed .*\(TypeError\), not of the service/);
    assert.deepEqual(card.ids, ['retry']);
  });

  it('reports an empty answer as empty, without a hint about the address', async () => {
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

  it('states what is kept of an interrupted answer', async () => {
    const card = await cardFor('interrupted', { code: 'end' }, true);
    assert.deepEqual([card.title, card.detail], ['The answer broke off', 'What came before is kept.']);
  });

  it('states that the answer was truncated if a tool call is incomplete', async () => {
    const card = await cardFor('protocol', { code: 'tool-call-cut', reason: 'length' });
    assert.match(card.title, /cut at the length limit/);
    assert.equal(card.actions.at(-1)?.setting, 'svc.request.maxTokens');
  });

  it('names the setting of a time limit', async () => {
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
    const connect = await cardFor('network', { externalCode: 'UND_ERR_CONNECT_TIMEOUT' });
    assert.equal(connect.actions.at(-1)?.setting, 'svc.request.timeout.connect');
  });

  it('does not present 200 as a failure if the error is inside the body', async () => {
    const card = await cardFor('server', { status: 200, serviceMessage: 'Out of order' });
    assert.equal(card.title, 'The service answered with an error');
    assert.match(card.detail ?? '', /^Out of order/);
    assert.equal((await cardFor('server', { status: 502 })).title, 'The service failed (502)');
  });
});
