import assert from 'node:assert/strict';
import fc from 'fast-check';
import { regions } from '../../../src/policy/compliance/compliance.ts';
import { resolvePolicy } from '../../../src/policy/compliance/resolve.ts';
import { resolveConnection } from '../../../src/policy/connection.ts';
import { type ManagedState, managedLayer } from '../../../src/policy/managed/managedPolicy.ts';
import { isAllowedModel, managedProblems } from '../../../src/policy/managed/managedRules.ts';
import { type AskedModel, type ModelKey, resolveRequestOptions } from '../../../src/policy/requestOptions.ts';
import type { Layer, PolicyProblem } from '../../../src/policy/requestPolicy.ts';
import { inForce } from '../../tools/managedPolicy.ts';
import { folder, user, workspace } from './layers.ts';

const address = user({ 'svc.baseUrl': 'https://svc.example.com/api/v1' });

/** Evaluated like a request: the managed layer outermost, then the rules. */
function judge(
  managed: ManagedState,
  layers: readonly Layer[],
  modelKey: ModelKey = 'svc.model.chat',
  asked?: AskedModel,
) {
  const outermost = managedLayer(managed);
  const all = outermost === null ? layers : [outermost, ...layers];
  const policy = resolvePolicy(all);
  const connection = resolveConnection(all);
  const options = resolveRequestOptions(all, modelKey, asked);
  assert.ok(connection.ok && options.ok);
  if (!policy.ok) return { region: null, problems: policy.problems };
  const resolved = { policy: policy.policy, connection: connection.connection, options: options.options };
  return { region: policy.policy.dataResidency.value, problems: managedProblems(managed, resolved) };
}

const problemsOf = (...about: Parameters<typeof judge>): readonly PolicyProblem[] => judge(...about).problems;

const region = (value: string): Layer['values'] => ({ 'svc.compliance.dataResidency': value });

describe('policy: allow lists of the administrator', () => {
  it('a single allowed region is set for every request; another one is a conflict that blocks', () => {
    const one = inForce({ allowedRegions: ['eu-west'] });
    assert.deepEqual(judge(one, [address]), { region: 'eu-west', problems: [] });
    assert.deepEqual(
      problemsOf(one, [address, workspace(region('us-east'))]).map(({ reason, found }) => [
        reason,
        found.map(({ layer }) => layer),
      ]),
      [['conflict', ['managed', 'workspace']]],
    );
  });

  it('the model of a prompt is checked against the list like a setting, and the prompt is named', () => {
    const some = inForce({ allowedModels: ['svc/one', 'svc/e*'] });
    const judged = (model: string) => problemsOf(some, [address], 'svc.model.chat', { model, prompt: 'audit' });
    assert.deepEqual(judged('svc/one'), []);
    const ofConversation = { model: 'svc/auto', isOfConversation: true } as const;
    const [problem] = problemsOf(some, [address], 'svc.model.chat', ofConversation);
    assert.deepEqual([problem?.reason, problem?.isOfConversation], ['not-managed', true]);
    assert.deepEqual(judged('svc/auto'), [
      {
        reason: 'not-managed',
        key: 'svc.model.chat',
        found: [{ layer: 'managed', value: '"svc/auto"' }],
        allowed: { kind: 'oneOf', values: ['svc/one', 'svc/e*'] },
        prompt: 'audit',
      },
    ]);
  });

  it('one of several allowed regions must be set', () => {
    const two = inForce({ allowedRegions: ['eu-west', 'us-east'] });
    const refused = {
      reason: 'not-managed',
      key: 'svc.compliance.dataResidency',
      allowed: { kind: 'oneOf', values: ['eu-west', 'us-east'] },
    };
    assert.deepEqual(problemsOf(two, [address]), [{ ...refused, found: [{ layer: 'managed', value: 'null' }] }]);
    assert.deepEqual(problemsOf(two, [address, workspace(region('us-east'))]), []);
    assert.deepEqual(problemsOf(two, [address, workspace(region('us-west')), folder('api', region('us-west'))]), [
      {
        ...refused,
        found: [
          { layer: 'workspace', value: '"us-west"' },
          { layer: 'folder', name: 'api', value: '"us-west"' },
        ],
      },
    ]);
  });

  it('a file that sets a region it does not allow blocks everything', () => {
    const torn = inForce({ allowedRegions: ['us-east'], compliance: region('eu-west') });
    assert.deepEqual(
      problemsOf(torn, [address]).map(({ reason, found }) => [reason, found]),
      [['not-managed', [{ layer: 'managed', value: '"eu-west"' }]]],
    );
  });

  it('names the setting of a refused model', () => {
    const models = inForce({ allowedModels: ['svc/auto'] });
    const keyOf = (key: ModelKey): unknown => problemsOf(models, [address], key).map((problem) => problem.key);
    assert.deepEqual(keyOf('svc.model.chat'), []);
    assert.deepEqual(keyOf('svc.model.code'), ['svc.model.code']);
    assert.deepEqual(keyOf('svc.model.review'), ['svc.model.review']);
  });

  it('a model is allowed by name, or by prefix', () => {
    const allowed = ['svc/auto', 'svc/enterprise-*'];
    for (const model of ['svc/auto', 'svc/enterprise-', 'svc/enterprise-coder-v1']) {
      assert.ok(isAllowedModel(model, allowed), model);
    }
    for (const model of [
      'svc/auto2',
      'svc/aut',
      'svc/enterprise',
      'x/svc/auto',
      'SVC/AUTO',
      'svc/enterprise-*'.slice(3),
    ]) {
      assert.ok(!isAllowedModel(model, allowed), model);
    }
  });

  it('an origin must match completely: scheme, host and port', () => {
    const origins = inForce({ allowedOrigins: ['https://svc.example.com'] });
    const keysFor = (values: Layer['values']): unknown => problemsOf(origins, [user(values)]).map(({ key }) => key);
    assert.deepEqual(keysFor({ 'svc.baseUrl': 'https://svc.example.com/eu/api/v1' }), []);
    assert.deepEqual(keysFor({ 'svc.baseUrl': 'https://svc.example.com:8443/api/v1' }), ['svc.baseUrl']);
    assert.deepEqual(keysFor({ 'svc.baseUrl': 'https://svc.example.com.evil.test/api/v1' }), ['svc.baseUrl']);
    const named = [{ name: 'dev', baseUrl: 'https://dev.example.com/api/v1' }];
    assert.deepEqual(keysFor({ 'svc.connections': named, 'svc.connection': 'dev' }), ['svc.connections']);
  });

  it('adds no problems if no file is in force', () => {
    assert.deepEqual(problemsOf({ state: 'none' }, [address, workspace(region('us-west'))]), []);
  });

  it('an admitted request goes to an allowed region and meets the minimum, for any settings', () => {
    const some = fc.subarray([...regions], { minLength: 1 });
    const asked = fc.array(fc.constantFrom(undefined, ...regions), { maxLength: 3 });
    fc.assert(
      fc.property(some, fc.boolean(), asked, (allowedRegions, audit, wanted) => {
        const managed = inForce({ allowedRegions, compliance: { 'svc.compliance.audit': audit } });
        const layers = wanted.map((value) =>
          workspace({ 'svc.compliance.audit': false, ...(value === undefined ? {} : region(value)) }),
        );
        const judged = judge(managed, [address, ...layers]);
        const all = new Set([...wanted, ...(allowedRegions.length === 1 ? allowedRegions : [])]);
        all.delete(undefined);
        const [only] = all;
        const isGood = all.size === 1 && only !== undefined && allowedRegions.includes(only);
        return (judged.problems.length === 0) === isGood && (!isGood || judged.region === only);
      }),
      { numRuns: 20_000 },
    );
  });
});
