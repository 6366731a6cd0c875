import assert from 'node:assert/strict';
import type { ManagedState } from '../../../src/policy/managed/managedPolicy.ts';
import { keyVariable } from '../../../src/policy/managed/managedRules.ts';
import { onlyOrigin } from '../../../src/policy/managed/onlyOrigin.ts';
import { parseManagedPolicy } from '../../../src/policy/managed/parseManagedPolicy.ts';

function managed(policy: object): ManagedState {
  const parsed = parseManagedPolicy(JSON.stringify({ version: 1, ...policy }));
  assert.ok(parsed.ok);
  return { state: 'in-force', file: 'p', digest: 'd', policy: parsed.policy };
}

describe('policy: what an administrator provides', () => {
  const origin = 'https://svc.example.com';
  const credentials = { environment: 'SVC_API_KEY', origin };

  it('the key of a variable is for the exact origin alone', () => {
    const state = managed({ credentials });
    assert.equal(keyVariable(state, { origin }), 'SVC_API_KEY');
    for (const other of [
      `${origin}:8443`,
      'http://svc.example.com',
      'https://svc.example.com.evil.test',
      'https://a.svc.example.com',
    ])
      assert.equal(keyVariable(state, { origin: other }), null, other);
    assert.equal(keyVariable({ state: 'none' }, { origin }), null);
    assert.equal(keyVariable(managed({}), { origin }), null);
  });

  it('one allowed origin is the address that is offered; with several, or none, nothing is', () => {
    assert.equal(onlyOrigin(managed({ allowedOrigins: [origin] })), origin);
    assert.equal(onlyOrigin(managed({ allowedOrigins: [origin, 'https://other.example.com'] })), null);
    assert.equal(onlyOrigin(managed({})), null);
    assert.equal(onlyOrigin({ state: 'none' }), null);
  });
});
