import assert from 'node:assert/strict';
import { auditCallShapes } from '../../../../src/features/audit/vscode/calls.ts';
import { panelShapes } from '../../../../src/features/chat/vscode/calls.ts';

describe('host: the parameters of the calls of the pages', () => {
  it('a call of the panel with other parameters than its schema allows is rejected', () => {
    assert.equal(panelShapes.send.safeParse({}).success, false);
    assert.equal(panelShapes.act.safeParse({ action: 'retry' }).success, true);
    assert.equal(panelShapes.act.safeParse({ action: 'workbench.action.quit' }).success, false);
    assert.equal(panelShapes.act.safeParse({ action: 'openSettings', setting: 'git.path' }).success, false);
    assert.equal(panelShapes.act.safeParse({ action: 'openSettings', setting: 'http.proxy' }).success, true);
    assert.equal(
      panelShapes.act.safeParse({ action: 'openSettings', setting: 'http.proxyAuthorization' }).success,
      false,
    );
    assert.equal(panelShapes.act.safeParse({ action: 'reveal', messageId: 'x'.repeat(1_001) }).success, false);
    assert.equal(panelShapes.complete.safeParse({ request: 1, trigger: '>', query: '' }).success, false);
    assert.equal(panelShapes.complete.safeParse({ request: 1, trigger: '@', query: 'x'.repeat(201) }).success, false);
    assert.equal(panelShapes.drop.safeParse({ uris: [{ path: '/a' }] }).success, false);
    assert.equal(panelShapes.drop.safeParse({ uris: Array(51).fill('file:///a') }).success, false);
    const code = { turnId: 'a', way: 'apply', info: 'ts src/pay.ts', text: 'x' };
    assert.equal(panelShapes.useCode.safeParse(code).success, true);
    assert.equal(panelShapes.useCode.safeParse({ ...code, way: 'write' }).success, false);
    assert.equal(panelShapes.applyAll.safeParse({ turnId: 'a' }).success, true);
    assert.equal(panelShapes.applyAll.safeParse({ turnId: 7 }).success, false);
    assert.equal(panelShapes.useCode.safeParse({ ...code, text: 'x'.repeat(4_000_001) }).success, false);
    assert.equal(panelShapes.openChange.safeParse({ id: '7' }).success, true);
    assert.equal(panelShapes.openChange.safeParse({ id: 'x'.repeat(101) }).success, false);
    assert.equal(panelShapes.decideChange.safeParse({ id: '7', version: 1, decision: 'accept' }).success, true);
    assert.equal(panelShapes.decideChange.safeParse({ id: '7', decision: 'accept' }).success, false);
    for (const decision of ['write', '', undefined, ['accept']])
      assert.equal(panelShapes.decideChanges.safeParse({ shown: { set: 's', version: 1 }, decision }).success, false);
    assert.equal(panelShapes.openLink.safeParse({ href: 'x'.repeat(9_000) }).success, false);
  });

  it('a call of the audit page with wrong parameters is rejected, and unknown fields are dropped', () => {
    const { export: shape } = auditCallShapes;
    for (const wrong of [undefined, {}, { format: '../../x' }, ['csv']])
      assert.equal(shape.safeParse(wrong).success, false);
    assert.deepEqual(shape.parse({ format: 'csv', target: 'file:///x' }), { format: 'csv' });
  });
});
