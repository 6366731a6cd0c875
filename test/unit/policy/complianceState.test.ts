import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compliance, complianceFields, regions } from '../../../src/policy/compliance/compliance.ts';
import { complianceState, effectOf } from '../../../src/policy/compliance/complianceState.ts';
import { resolvedHeaders } from '../../../src/policy/compliance/headers.ts';
import { resolvePolicy } from '../../../src/policy/compliance/resolve.ts';
import { type ManagedState, managedLayer } from '../../../src/policy/managed/managedPolicy.ts';
import type { Layer } from '../../../src/policy/requestPolicy.ts';
import { inForceFrom } from '../../tools/managedPolicy.ts';
import { anyLayer, folder, user, workspace } from './layers.ts';

const none: ManagedState = { state: 'none' };
const { setting: level } = compliance.securityLevel;
const { setting: region } = compliance.dataResidency;
const { setting: frameworks } = compliance.frameworks;

/** What a policy file and these layers set. */
function managedBy(policy: object, ...layers: readonly Layer[]) {
  const managed = inForceFrom(policy);
  return { managed, layers: [managedLayer(managed) ?? assert.fail(), ...layers] };
}

describe('policy: the state of each compliance setting', () => {
  it('is what the request has, for any layers', () => {
    const layers = fc.constantFrom(...regions, null).chain((one) => fc.array(anyLayer(one), { maxLength: 5 }));
    fc.assert(
      fc.property(layers, (some) => {
        const states = complianceFields.map((field) => complianceState(field, { layers: some, managed: none }));
        const resolved = resolvePolicy(some);
        assert.ok(resolved.ok && states.every(({ problems }) => problems.length === 0));
        assert.deepEqual(
          states.flatMap(({ header }) => header ?? []),
          resolvedHeaders(resolved.policy),
        );
      }),
    );
  });

  it('has only its own problems, and keeps the valid values of others', () => {
    const layers = [user({ [level]: 'low' }), workspace({ [level]: 'high', [region]: 'eu-west' })];
    const [securityLevel, dataResidency] = complianceFields.map((field) =>
      complianceState(field, { layers, managed: none }),
    );
    assert.deepEqual(
      [securityLevel?.header?.value, securityLevel?.problems.map(({ reason }) => reason)],
      ['high', ['invalid']],
    );
    assert.deepEqual([dataResidency?.header?.value, dataResidency?.problems], ['eu-west', []]);
  });

  it('has the administrator’s objection to a region, and to none', () => {
    const policy = { allowedRegions: ['eu-west', 'us-east'] };
    const problems = (...layers: readonly Layer[]) =>
      complianceState('dataResidency', managedBy(policy, ...layers)).problems.map(({ reason }) => reason);
    assert.deepEqual(problems(), ['not-managed']);
    assert.deepEqual(problems(user({ [region]: 'us-west' })), ['not-managed']);
    assert.deepEqual(problems(user({ [region]: 'us-east' })), []);
  });
});

describe('policy: the effect of a value before it is set', () => {
  const mine = user({ [level]: 'standard', [region]: 'eu-west', [frameworks]: ['gdpr'] });
  const effect = (field: (typeof complianceFields)[number], value: unknown, ...others: readonly Layer[]) => {
    const { applies, state, forbidden } = effectOf(field, { layers: [mine, ...others], managed: none }, mine, value);
    return [applies, state.header?.value, state.problems.length, forbidden !== null];
  };

  it('is none where another scope is stricter, or keeps what is removed here', () => {
    const strict = workspace({ [level]: 'high' });
    assert.deepEqual(effect('securityLevel', 'standard', strict), [false, 'high', 0, false]);
    assert.deepEqual(effect('securityLevel', 'maximum', strict), [true, 'maximum', 0, false]);
    assert.deepEqual(effect('securityLevel', undefined, strict), [false, 'high', 0, false]);
    assert.deepEqual(effect('securityLevel', undefined), [true, undefined, 0, false]);
  });

  it('adds to the lists of other scopes', () => {
    assert.deepEqual(effect('frameworks', ['sox'], folder('a', { [frameworks]: ['hipaa'] })), [
      true,
      'hipaa,sox',
      0,
      false,
    ]);
  });

  it('is a blocked request where two scopes set different regions', () => {
    const other = workspace({ [region]: 'eu-west' });
    assert.deepEqual(effect('dataResidency', 'us-west', other), [false, 'us-west', 1, false]);
  });

  it('is forbidden where only the administrator can change it', () => {
    const forbidden = (field: (typeof complianceFields)[number], policy: object, value: unknown): boolean =>
      effectOf(field, managedBy(policy, mine), mine, value).forbidden !== null;
    assert.ok(forbidden('dataResidency', { allowedRegions: ['eu-west', 'us-east'] }, 'us-west'));
    assert.ok(!forbidden('dataResidency', { allowedRegions: ['eu-west', 'us-east'] }, 'us-east'));
    assert.ok(forbidden('dataResidency', { allowedRegions: ['eu-west'] }, 'us-east'));
    assert.ok(forbidden('dataResidency', { compliance: { dataResidency: 'eu-west' } }, 'us-east'));
    // Another scope can set the region.
    assert.ok(!forbidden('dataResidency', { allowedRegions: ['eu-west', 'us-east'] }, undefined));
    // A less strict value blocks nothing.
    assert.ok(!forbidden('securityLevel', { compliance: { securityLevel: 'maximum' } }, 'standard'));
  });

  it('a value applies only if the request has it, and a list is a part of the value that is sent, for any layers', () => {
    const layers = fc.array(anyLayer('eu-west'), { minLength: 1, maxLength: 4 });
    const change = fc.constantFrom(...complianceFields).chain((field) =>
      fc.record({
        field: fc.constant(field),
        value: fc.constantFrom(
          ...(field === 'frameworks' ? [['gdpr'], ['hipaa', 'sox']] : compliance[field].values),
          undefined,
        ),
      }),
    );
    fc.assert(
      fc.property(layers, change, (some, { field, value }) => {
        const [at, ...others] = some;
        if (at === undefined) return;
        const { applies, state } = effectOf(field, { layers: some, managed: none }, at, value);
        const after = complianceState(field, {
          layers: [{ ...at, values: { ...at.values, [compliance[field].setting]: value } }, ...others],
          managed: none,
        });
        assert.deepEqual([state.header?.value, state.problems.length], [after.header?.value, after.problems.length]);
        const sent = after.header?.value.split(',') ?? [];
        const wanted: readonly unknown[] = value === undefined ? [] : Array.isArray(value) ? value : [String(value)];
        assert.ok(!applies || (after.problems.length === 0 && wanted.every((one) => sent.includes(String(one)))));
      }),
    );
  });
});
