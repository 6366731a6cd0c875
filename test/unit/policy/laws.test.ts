import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Layer, RequestPolicy } from '../../../src/policy/requestPolicy.ts';
import { resolvePolicy } from '../../../src/policy/resolve.ts';
import { type ComplianceKey, frameworks, regions, securityLevels } from '../../../src/policy/settings.ts';

const runs = { numRuns: 20_000 };

const values: { readonly [K in ComplianceKey]: fc.Arbitrary<unknown> } = {
  'svc.compliance.securityLevel': fc.constantFrom(...securityLevels, null, undefined),
  'svc.compliance.dataResidency': fc.constantFrom(...regions, null, undefined),
  'svc.compliance.audit': fc.constantFrom(true, false, null, undefined),
  'svc.compliance.zeroRetention': fc.constantFrom(true, false, null, undefined),
  'svc.compliance.frameworks': fc.oneof(fc.constant(undefined), fc.subarray([...frameworks])),
};
const keys = Object.keys(values) as readonly ComplianceKey[];
const names = fc.constantFrom('managed', 'user', 'workspace', 'folder') as fc.Arbitrary<Layer['layer']>;
const layer: fc.Arbitrary<Layer> = fc.record({
  layer: names,
  name: fc.constantFrom('a', 'b'),
  values: fc.record(values),
});
const layers = fc.array(layer, { maxLength: 4 });

/** What no layer may hold: another type, another case, another word. */
const junk = fc.oneof(
  fc.constantFrom<unknown>(
    'Maximum',
    'MAXIMUM',
    ' high',
    'true',
    'false',
    'eu_west',
    'EU-WEST',
    'us-east ',
    0,
    1,
    Number.NaN,
    '',
    {},
    [null],
    ['HIPAA'],
    [['hipaa']],
    ['pci'],
  ),
  fc.string(),
  fc.integer(),
);

/** Nothing of what `asked` asks for is missing in `policy`. */
function holds(policy: RequestPolicy, asked: Layer): boolean {
  const of = (key: ComplianceKey): unknown => asked.values[key] ?? null;
  const level = of('svc.compliance.securityLevel');
  const region = of('svc.compliance.dataResidency');
  const wanted = (of('svc.compliance.frameworks') ?? []) as readonly string[];
  const rank = (value: unknown): number => (securityLevels as readonly unknown[]).indexOf(value);
  return (
    rank(policy.securityLevel.value) >= rank(level) &&
    (region === null || policy.dataResidency.value === region) &&
    (of('svc.compliance.audit') !== true || policy.audit.value === true) &&
    (of('svc.compliance.zeroRetention') !== true || policy.zeroRetention.value === true) &&
    wanted.every((framework) => (policy.frameworks.value as readonly string[]).includes(framework))
  );
}

/** What a resolution says, whoever said it. */
function meaning(of: readonly Layer[]): string {
  const resolved = resolvePolicy(of);
  if (!resolved.ok) {
    const problems = resolved.problems.map(
      ({ reason, key, found }) => `${reason} ${key} ${found.map(({ value }) => value).sort()}`,
    );
    return JSON.stringify(problems.sort());
  }
  const { securityLevel, dataResidency, audit, zeroRetention, frameworks: all } = resolved.policy;
  return JSON.stringify([securityLevel.value, dataResidency.value, audit.value, zeroRetention.value, all.value]);
}

describe('policy: the laws of layers', () => {
  it('is never looser than any layer', () => {
    fc.assert(
      fc.property(layers, (all) => {
        const resolved = resolvePolicy(all);
        // Regions that differ are the one thing that cannot be had at once.
        if (!resolved.ok) return resolved.problems.every(({ reason }) => reason === 'conflict');
        return all.every((one) => holds(resolved.policy, one));
      }),
      runs,
    );
  }).timeout(20_000);

  it('asks for nothing that no layer asks for', () => {
    fc.assert(
      fc.property(layers, (all) => {
        const resolved = resolvePolicy(all);
        if (!resolved.ok) return true;
        const { securityLevel, frameworks: found, audit } = resolved.policy;
        const asked = (key: ComplianceKey): readonly unknown[] => all.map((one) => one.values[key] ?? null);
        return (
          (securityLevel.value === null || asked('svc.compliance.securityLevel').includes(securityLevel.value)) &&
          (audit.value === null || asked('svc.compliance.audit').includes(audit.value)) &&
          found.value.every((name) => asked('svc.compliance.frameworks').flat().includes(name))
        );
      }),
      runs,
    );
  }).timeout(20_000);

  it('does not mind the order', () => {
    fc.assert(
      fc.property(
        layers.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([all, shuffled]) => meaning(all) === meaning(shuffled),
      ),
      runs,
    );
  }).timeout(20_000);

  it('does not mind a layer twice', () => {
    fc.assert(
      fc.property(fc.array(layer, { minLength: 1, maxLength: 3 }), fc.nat(), (all, index) => {
        const again = all[index % all.length];
        const before = resolvePolicy(all);
        const after = resolvePolicy(again === undefined ? all : [...all, again]);
        return before.ok === after.ok && (!before.ok || meaning(all) === meaning([...all, ...(again ? [again] : [])]));
      }),
      runs,
    );
  }).timeout(20_000);

  it('is not loosened by one more layer', () => {
    fc.assert(
      fc.property(layers, layer, (all, more) => {
        const before = resolvePolicy(all);
        const after = resolvePolicy([...all, more]);
        if (!before.ok) return !after.ok;
        return !after.ok || all.every((one) => holds(after.policy, one));
      }),
      runs,
    );
  }).timeout(20_000);

  it('junk in any layer blocks, and is named with its key and layer', () => {
    fc.assert(
      fc.property(layers, layer, fc.constantFrom(...keys), junk, (all, bad, key, value) => {
        // What happens to be allowed is no junk.
        fc.pre(!resolvePolicy([{ layer: 'user', values: { [key]: value } }]).ok);
        const resolved = resolvePolicy([...all, { ...bad, values: { ...bad.values, [key]: value } }]);
        return (
          !resolved.ok &&
          resolved.problems.some(
            (problem) => problem.reason === 'invalid' && problem.key === key && problem.found[0]?.layer === bad.layer,
          )
        );
      }),
      runs,
    );
  }).timeout(20_000);

  it('a word in another case, or of another type, is junk for every key', () => {
    const wrong: { readonly [K in ComplianceKey]: readonly unknown[] } = {
      'svc.compliance.securityLevel': ['Maximum', 'maximum ', 'highest', '', true, 3, ['high'], {}],
      'svc.compliance.dataResidency': ['EU-WEST', 'eu_west', 'eu-west ', '', false, 1, ['eu-west']],
      'svc.compliance.audit': ['true', 'True', 1, 0, '', [], {}],
      'svc.compliance.zeroRetention': ['true', 'False', 1, 0, '', [], {}],
      'svc.compliance.frameworks': [
        'hipaa',
        ['HIPAA'],
        ['pci'],
        ['gdpr', null],
        [1],
        { hipaa: true },
        true,
        'gdpr,hipaa',
      ],
    };
    for (const key of keys) {
      for (const value of wrong[key]) {
        for (const name of ['managed', 'user', 'workspace', 'folder'] as const) {
          const resolved = resolvePolicy([{ layer: name, values: { [key]: value } }]);
          assert.ok(!resolved.ok, `${key} ${JSON.stringify(value)}`);
          assert.deepEqual(
            resolved.problems.map((problem) => [problem.key, problem.found[0]?.layer]),
            [[key, name]],
          );
        }
      }
    }
  });

  it('two folders with two regions cannot be sent together', () => {
    const folder = (name: string, region: string): Layer => ({
      layer: 'folder',
      name,
      values: { 'svc.compliance.dataResidency': region },
    });
    const resolved = resolvePolicy([folder('one', 'eu-west'), folder('two', 'us-east')]);
    assert.ok(!resolved.ok);
    assert.deepEqual(
      resolved.problems.map(({ reason, found }) => [reason, found.map(({ name }) => name)]),
      [['conflict', ['one', 'two']]],
    );
    assert.ok(resolvePolicy([folder('one', 'eu-west'), folder('two', 'eu-west')]).ok);
  });
});
