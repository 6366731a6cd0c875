import assert from 'node:assert/strict';
import { callMessage, callParams } from '../../../src/host/chatView/calls.ts';

describe('host: validation of messages from the page', () => {
  it('accepts a call without parameters, as JSON drops them', () => {
    const call = callMessage.safeParse({ type: 'call', id: 1, method: 'ready' });
    assert.equal(call.success, true);
    assert.equal(callParams.ready.safeParse(call.data?.params).success, true);
  });

  for (const message of [
    undefined,
    'ready',
    { type: 'call', id: 1, method: 'constructor' },
    { type: 'call', id: 'x', method: 'ready' },
    { type: 'call', method: 'ready' },
  ]) {
    it(`refuses ${JSON.stringify(message)}`, () => assert.equal(callMessage.safeParse(message).success, false));
  }

  it('rejects parameters that do not fit', () => {
    assert.equal(callParams.send.safeParse({}).success, false);
    assert.equal(callParams.act.safeParse({ action: 'workbench.action.quit' }).success, false);
    assert.equal(callParams.act.safeParse({ action: 'openSettings', setting: 'git.path' }).success, false);
    assert.equal(callParams.complete.safeParse({ request: 1, trigger: '>', query: '' }).success, false);
    assert.equal(callParams.complete.safeParse({ request: 1, trigger: '@', query: 'x'.repeat(201) }).success, false);
    assert.equal(callParams.drop.safeParse({ uris: [{ path: '/a' }] }).success, false);
    assert.equal(callParams.drop.safeParse({ uris: Array(51).fill('file:///a') }).success, false);
    const code = { turnId: 'a', way: 'apply', info: 'ts src/pay.ts', text: 'x' };
    assert.equal(callParams.useCode.safeParse(code).success, true);
    assert.equal(callParams.useCode.safeParse({ ...code, way: 'write' }).success, false);
    assert.equal(callParams.useCode.safeParse({ ...code, text: 'x'.repeat(4_000_001) }).success, false);
    assert.equal(callParams.openLink.safeParse({ href: 'x'.repeat(9_000) }).success, false);
  });
});
