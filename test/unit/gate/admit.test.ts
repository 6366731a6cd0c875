import assert from 'node:assert/strict';
import { admit } from '../../../src/gate/admit.ts';
import { resolveConnection } from '../../../src/policy/connection.ts';
import { PolicyError } from '../../../src/policy/policyError.ts';
import { resolveRequestOptions } from '../../../src/policy/requestOptions.ts';
import type { Layer } from '../../../src/policy/requestPolicy.ts';
import { resolvePolicy } from '../../../src/policy/resolve.ts';
import { user, workspace } from '../policy/layers.ts';

const address = user({ 'svc.baseUrl': 'https://svc.example.com/api/v1' });

const at = (isTrusted: boolean, ...layers: readonly Layer[]) => ({
  isTrusted,
  policy: resolvePolicy(layers),
  connection: resolveConnection(layers),
  options: resolveRequestOptions(layers, 'svc.model.chat'),
});

describe('gate: what may leave', () => {
  it('admits a request with its policy, address and model', () => {
    const { connection, options, policy } = admit(at(true, address));
    assert.equal(connection.origin, 'https://svc.example.com');
    assert.equal(options.model, 'svc/auto');
    assert.equal(policy.audit.value, null);
  });

  it('sends nothing from an untrusted workspace, whatever else holds', () => {
    assert.throws(() => admit(at(false, address)), { kind: 'gate', code: 'untrusted' });
  });

  it('asks for an address where none is set', () => {
    assert.throws(() => admit(at(true)), { kind: 'policy', code: 'no-base-url' });
  });

  it('names every problem at once, and no value in the message for the log', () => {
    const bad = workspace({ 'svc.compliance.audit': 'sometimes', 'svc.request.maxTokens': -4 });
    assert.throws(
      () => admit(at(true, address, bad)),
      (error) =>
        error instanceof PolicyError &&
        error.problems.map(({ key }) => key).join() === 'svc.compliance.audit,svc.request.maxTokens' &&
        !error.message.includes('sometimes'),
    );
  });
});
