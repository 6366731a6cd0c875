import assert from 'node:assert/strict';
import { keyVariable, onlyOrigin } from '../../../src/policy/managed/managedRules.ts';
import { inForceFrom } from '../../tools/managedPolicy.ts';

describe('policy: what an administrator provides', () => {
  const origin = 'https://svc.example.com';
  const credentials = { environment: 'SVC_API_KEY', origin };

  it('the key of a variable is for the exact origin alone', () => {
    const state = inForceFrom({ credentials });
    assert.equal(keyVariable(state, { origin }), 'SVC_API_KEY');
    for (const other of [
      `${origin}:8443`,
      'http://svc.example.com',
      'https://svc.example.com.evil.test',
      'https://a.svc.example.com',
    ])
      assert.equal(keyVariable(state, { origin: other }), null, other);
    assert.equal(keyVariable({ state: 'none' }, { origin }), null);
    assert.equal(keyVariable(inForceFrom({}), { origin }), null);
  });

  it('one allowed origin is the address that is offered; with several, or none, nothing is', () => {
    assert.equal(onlyOrigin(inForceFrom({ allowedOrigins: [origin] })), origin);
    assert.equal(onlyOrigin(inForceFrom({ allowedOrigins: [origin, 'https://other.example.com'] })), null);
    assert.equal(onlyOrigin(inForceFrom({})), null);
    assert.equal(onlyOrigin({ state: 'none' }), null);
  });
});
