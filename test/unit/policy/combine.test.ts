import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compliance, complianceFields } from '../../../src/policy/compliance/compliance.ts';
import { combinePolicies, PolicyConflict } from '../../../src/policy/managed/combine.ts';
import { features, type ManagedPolicy } from '../../../src/policy/managed/managedPolicy.ts';
import { isAllowedModel } from '../../../src/policy/managed/managedRules.ts';
import { parseManagedPolicy } from '../../../src/policy/managed/parseManagedPolicy.ts';
import { type RuledTool, toolRefusal } from '../../../src/policy/managed/toolRules.ts';
import { toolApprovals } from '../../../src/policy/settings.ts';

function policyOf(file: object): ManagedPolicy {
  const parsed = parseManagedPolicy(JSON.stringify({ version: 1, ...file }), '1.0.0');
  assert.ok(parsed.ok, JSON.stringify(parsed));
  return parsed.policy;
}

const some = <T>(values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 4 });
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });
const models = ['svc/auto', 'svc/*', 'svc/enterprise-*', 'svc/enterprise-1', 'other', 'o*'];
const tools = [
  'read_file',
  'read_*',
  '*',
  'git_diff',
  'mcp:a',
  'mcp:a/x',
  'mcp:a/*',
  'mcp:*',
  'mcp:b/y',
  'm*',
  'mcp:m',
  'mcp:a/evil',
];
const fields = Object.fromEntries(
  complianceFields.map((field) => {
    const { values, combine } = compliance[field];
    const one = fc.constantFrom<unknown>(...values, null);
    return [field, maybe(combine === 'union' ? fc.uniqueArray(fc.constantFrom<unknown>(...values)) : one)];
  }),
);

const policies = fc
  .record({
    compliance: fc.record(fields),
    allowedRegions: maybe(some(['eu-west', 'us-east', 'us-west'])),
    allowedOrigins: maybe(some(['https://a.example', 'https://b.example'])),
    allowedModels: maybe(some(models)),
    requireAuditLog: fc.boolean(),
    requirePreview: fc.boolean(),
    forbidUnmaskedSecrets: fc.boolean(),
    requireRecognition: maybe(fc.boolean()),
    limits: fc.record({
      requestBytes: maybe(fc.nat(9)),
      fileBytes: maybe(fc.nat(9)),
      requestsPerDay: maybe(fc.integer({ min: 1, max: 9 })),
      tokensPerDay: maybe(fc.integer({ min: 1, max: 9 })),
    }),
    disabledFeatures: fc.uniqueArray(fc.constantFrom(...features)),
    tools: maybe(
      fc.record({
        allow: maybe(some(tools)),
        deny: maybe(some(tools)),
        approval: maybe(fc.constantFrom('conversation', 'each')),
        maxCalls: maybe(fc.integer({ min: 1, max: 5 })),
      }),
    ),
    changes: maybe(fc.record({ requireReview: maybe(fc.boolean()) })),
    evidence: fc.record({ keepDays: maybe(fc.integer({ min: 1, max: 9 })) }),
  })
  .map(policyOf);

const called: readonly RuledTool[] = [
  ...['read_file', 'git_diff', 'x', 'mx'].map((name) => ({ name, mcp: null })),
  { name: 'x', mcp: 'unknown' },
  ...[
    ['a', 'x'],
    ['a', 'z'],
    ['b', 'y'],
    ['ab', 'x'],
    ['a/evil', 'x'],
    ['m', 'mx'],
  ].map(([server = '', tool = '']) => ({ name: tool, mcp: { server, tool } })),
];
const names = ['svc/auto', 'svc/x', 'svc/enterprise-1', 'svc/enterprise-2', 'other', 'o'];

/** Everything that a policy allows, as text. */
function allowedBy(policy: ManagedPolicy): Set<string> {
  const { allowedModels, allowedRegions, allowedOrigins, tools: rules = {}, disabledFeatures, limits } = policy;
  const {
    requireAuditLog,
    evidence: { keepDays },
  } = policy;
  const level = (field: 'securityLevel') =>
    (compliance[field].values as readonly unknown[]).indexOf(
      policy.compliance[compliance[field].setting] ?? 'standard',
    );
  return new Set([
    ...names.filter((name) => allowedModels === undefined || isAllowedModel(name, allowedModels)),
    ...['eu-west', 'us-east', 'us-west'].filter(
      (one) => (allowedRegions as readonly string[] | undefined)?.includes(one) ?? true,
    ),
    ...['https://a.example', 'https://b.example'].filter((one) => allowedOrigins?.includes(one) ?? true),
    ...called.filter((tool) => toolRefusal(rules, tool) === null).map((tool) => JSON.stringify(tool)),
    ...features.filter((feature) => !disabledFeatures.includes(feature)),
    ...(policy.changes?.requireReview === true ? [] : ['accept without a diff']),
    ...toolApprovals.slice(toolApprovals.indexOf(rules.approval ?? 'reads')).map((one) => `without ${one}`),
    ...[1, 2, 3, 4, 5].filter((calls) => calls <= (rules.maxCalls ?? 5)).map((calls) => `call ${calls}`),
    ...(['requireAuditLog', 'requirePreview', 'forbidUnmaskedSecrets', 'requireRecognition'] as const).filter(
      (key) => policy[key] !== true,
    ),
    // A policy without rules for the log leaves it to the other one.
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9]
      .filter((day) => (keepDays ?? (requireAuditLog ? Number.POSITIVE_INFINITY : 0)) <= day)
      .map((day) => `remove logs after ${day} days`),
    ...Array.from({ length: 10 }, (_, bytes) => bytes).flatMap((bytes) => [
      ...(bytes <= (limits.requestBytes ?? 9) ? [`request ${bytes}`] : []),
      ...(bytes <= (limits.fileBytes ?? 9) ? [`file ${bytes}`] : []),
      ...(bytes <= (limits.requestsPerDay ?? 9) ? [`${bytes} requests in a day`] : []),
      ...(bytes <= (limits.tokensPerDay ?? 9) ? [`${bytes} tokens in a day`] : []),
    ]),
    ...['standard', 'high', 'maximum']
      .filter((_, index) => index >= level('securityLevel'))
      .map((one) => `level ${one}`),
    ...complianceFields
      .filter(
        (field) => compliance[field].combine === 'strictest' && policy.compliance[compliance[field].setting] !== true,
      )
      .map((field) => `without ${field}`),
    ...compliance.frameworks.values
      .filter(
        (one) => !(policy.compliance['svc.compliance.frameworks'] as readonly string[] | undefined)?.includes(one),
      )
      .map((one) => `without ${one}`),
  ]);
}

describe('policy: the file of a machine and a delivered policy', () => {
  it('allow together exactly what both allow', () => {
    fc.assert(
      fc.property(policies, policies, (own, delivered) => {
        let together: ManagedPolicy;
        try {
          together = combinePolicies(own, delivered);
        } catch (error) {
          assert.ok(error instanceof PolicyConflict, String(error));
          return;
        }
        const [one, other] = [allowedBy(own), allowedBy(delivered)];
        assert.deepEqual([...allowedBy(together)].sort(), [...one].filter((item) => other.has(item)).sort());
      }),
      { numRuns: 3_000 },
    );
  });

  it('do not change if both are the same, or one requires nothing', () => {
    fc.assert(
      fc.property(policies, (own) => {
        assert.deepEqual(combinePolicies(own, own), own);
        assert.deepEqual(combinePolicies(own, policyOf({})), own);
        assert.deepEqual(combinePolicies(policyOf({}), own), own);
      }),
    );
  });

  for (const [key, own, delivered] of [
    ['allowedRegions', { allowedRegions: ['eu-west'] }, { allowedRegions: ['us-east'] }],
    ['allowedOrigins', { allowedOrigins: ['https://a.example'] }, { allowedOrigins: ['https://b.example'] }],
    ['allowedModels', { allowedModels: ['a*'] }, { allowedModels: ['b', 'c*'] }],
    [
      'compliance.dataResidency',
      { compliance: { dataResidency: 'eu-west' } },
      { compliance: { dataResidency: 'us-east' } },
    ],
  ] as const) {
    it(`block each other if they have no common value for ${key}`, () => {
      assert.throws(
        () => combinePolicies(policyOf(own), policyOf(delivered)),
        (error) => error instanceof PolicyConflict && error.key === key,
      );
    });
  }

  it('name the user as the machine has it, or as the delivered policy has it if the machine names nobody', () => {
    const together = (own: object, delivered: object) => combinePolicies(policyOf(own), policyOf(delivered)).identity;
    assert.equal(together({ identity: 'none' }, { identity: 'account' }), 'account');
    assert.equal(together({ identity: 'account' }, { identity: 'none' }), 'account');
    assert.equal(together({ identity: 'subject' }, { identity: 'account' }), 'subject');
    assert.equal(together({}, { identity: 'subject' }), 'subject');
  });

  it('have the instructions of both, those of the machine first, once if they are the same', () => {
    const [own, delivered] = [policyOf({ instructions: 'One.' }), policyOf({ instructions: 'Two.' })];
    assert.equal(combinePolicies(own, delivered).instructions, 'One.\n\nTwo.');
    assert.equal(combinePolicies(own, own).instructions, 'One.');
    assert.equal(combinePolicies(policyOf({}), delivered).instructions, 'Two.');
  });

  it('allow no tool if they have none in common', () => {
    const own = policyOf({ tools: { allow: ['read_*'] } });
    const { tools: rules = {} } = combinePolicies(own, policyOf({ tools: { allow: ['mcp:*'] } }));
    assert.deepEqual(
      called.filter((tool) => toolRefusal(rules, tool) === null),
      [],
    );
  });

  it('keep logs for the longer time, and their collector is that of the machine', () => {
    const otlp = { url: 'https://logs.example.com/v1/logs' };
    const own = policyOf({ evidence: { keepDays: 30, origin: 'a', otlp, required: true } });
    const { evidence } = combinePolicies(own, policyOf({ evidence: { keepDays: 90, origin: 'b' } }));
    assert.deepEqual(evidence, { keepDays: 90, origin: 'a', otlp, required: true });
  });

  it('remove no log if one of them has rules for the log and none for how long it is kept', () => {
    const days = policyOf({ evidence: { keepDays: 1 } });
    for (const part of [{ requireAuditLog: true }, { evidence: { origin: 'a' } }]) {
      const other = policyOf(part);
      assert.deepEqual(combinePolicies(other, days).evidence, other.evidence);
      assert.deepEqual(combinePolicies(days, other).evidence, other.evidence);
    }
    const silent = policyOf({ requirePreview: true });
    assert.deepEqual(combinePolicies(silent, days).evidence, { keepDays: 1 });
    assert.deepEqual(combinePolicies(days, silent).evidence, { keepDays: 1 });
  });
});
