import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import {
  features,
  type ManagedPolicy,
  type ManagedProblem,
  managedLayer,
  parseManagedPolicy,
} from '../../../src/policy/managedPolicy.ts';
import { frameworks, regions, securityLevels } from '../../../src/policy/settings.ts';

const schema = JSON.parse(readFileSync('media/managed-policy.schema.json', 'utf8'));

const whole = {
  $schema: 'managed-policy.schema.json',
  version: 1,
  compliance: {
    securityLevel: 'high',
    dataResidency: null,
    audit: true,
    zeroRetention: false,
    frameworks: ['hipaa', 'pci-dss'],
  },
  allowedRegions: ['eu-west', 'us-east'],
  allowedOrigins: ['https://svc.example.com', 'http://127.0.0.1:8080'],
  allowedModels: ['svc/auto', 'svc/enterprise-*'],
  requireAuditLog: true,
  requirePreview: false,
  forbidUnmaskedSecrets: true,
  limits: { requestBytes: 1000, fileBytes: 0 },
  disabledFeatures: ['generate'],
};

/** Where it is wrong, as `path: found`. */
const wrong: readonly (readonly [string, unknown])[] = [
  ['the file', []],
  ['the file', 'x'],
  ['requireAudit', { version: 1, requireAudit: true }],
  ['compliance.level', { version: 1, compliance: { level: 'high' } }],
  ['compliance.securityLevel', { version: 1, compliance: { securityLevel: 'Maximum' } }],
  ['compliance.audit', { version: 1, compliance: { audit: 'true' } }],
  ['compliance.frameworks', { version: 1, compliance: { frameworks: ['HIPAA'] } }],
  ['compliance', { version: 1, compliance: [] }],
  ['allowedRegions[1]', { version: 1, allowedRegions: ['eu-west', 'mars'] }],
  ['allowedRegions', { version: 1, allowedRegions: [] }],
  ['allowedOrigins[0]', { version: 1, allowedOrigins: ['svc.example.com'] }],
  ['allowedOrigins[0]', { version: 1, allowedOrigins: ['https://svc.example.com/api'] }],
  ['allowedModels[0]', { version: 1, allowedModels: ['svc/* extra'] }],
  ['requirePreview', { version: 1, requirePreview: 'yes' }],
  ['limits.requestBytes', { version: 1, limits: { requestBytes: -1 } }],
  ['limits.fileBytes', { version: 1, limits: { fileBytes: 1.5 } }],
  ['limits.bytes', { version: 1, limits: { bytes: 1 } }],
  ['disabledFeatures[0]', { version: 1, disabledFeatures: ['chat'] }],
];

function problemOf(text: string): ManagedProblem {
  const parsed = parseManagedPolicy(text);
  assert.ok(!parsed.ok);
  return parsed.problem;
}

function policyOf(value: unknown): ManagedPolicy {
  const parsed = parseManagedPolicy(JSON.stringify(value));
  assert.ok(parsed.ok, JSON.stringify(parsed));
  return parsed.policy;
}

describe('policy: the managed file', () => {
  it('is read as it stands', () => {
    const { compliance, ...rest } = policyOf(whole);
    const { $schema: _, version: __, compliance: asked, ...written } = whole;
    assert.deepEqual(rest, written);
    assert.deepEqual(compliance, {
      'svc.compliance.securityLevel': asked.securityLevel,
      'svc.compliance.audit': true,
      'svc.compliance.zeroRetention': false,
      'svc.compliance.frameworks': asked.frameworks,
    });
  });

  it('constrains nothing that it does not name', () => {
    assert.deepEqual(policyOf({ version: 1 }), {
      compliance: {},
      requireAuditLog: false,
      requirePreview: false,
      forbidUnmaskedSecrets: false,
      limits: {},
      disabledFeatures: [],
    });
    assert.ok(parseManagedPolicy('\uFEFF{"version":1}').ok);
  });

  for (const [where, value] of wrong) {
    it(`is refused at ${where}: ${JSON.stringify(value)}`, () => {
      const problem = problemOf(JSON.stringify(value));
      assert.equal(problem.reason, 'malformed');
      assert.equal(problem.reason === 'malformed' && problem.where, where);
    });
  }

  it('says where it is no JSON', () => {
    const problem = problemOf('{\n  "version": 1,\n}');
    assert.equal(problem.reason, 'malformed');
    assert.match(problem.reason === 'malformed' ? problem.where : '', /line 3|position 17/);
  });

  it('of another version is refused as such, whatever else it holds', () => {
    for (const version of [2, 0, '1', null, undefined]) {
      assert.equal(problemOf(JSON.stringify({ version, later: true })).reason, 'unknown-version');
    }
  });

  it('any text is read or refused, never more', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => void parseManagedPolicy(text)),
      { numRuns: 2_000 },
    );
  });

  it('is a layer: one allowed region alone is asked for', () => {
    const layerOf = (value: object): unknown =>
      managedLayer({ state: 'in-force', file: 'f', digest: 'd', policy: policyOf({ version: 1, ...value }) })?.values;
    assert.deepEqual(layerOf({ allowedRegions: ['eu-west'] }), { 'svc.compliance.dataResidency': 'eu-west' });
    assert.deepEqual(layerOf({ allowedRegions: ['eu-west', 'us-east'] }), {});
    assert.equal(managedLayer({ state: 'none' }), null);
  });
});

describe('policy: the schema that editors are given', () => {
  it('names the same keys and words as the parser', () => {
    const { properties } = schema;
    assert.deepEqual(Object.keys(properties).sort(), Object.keys(whole).sort());
    assert.deepEqual(Object.keys(properties.compliance.properties), Object.keys(whole.compliance));
    assert.deepEqual(properties.compliance.properties.securityLevel.enum, [...securityLevels, null]);
    assert.deepEqual(properties.compliance.properties.dataResidency.enum, [...regions, null]);
    assert.deepEqual(properties.compliance.properties.frameworks.items.enum, [...frameworks]);
    assert.deepEqual(properties.allowedRegions.items.enum, [...regions]);
    assert.deepEqual(properties.disabledFeatures.items.enum, [...features]);
    assert.deepEqual(Object.keys(properties.limits.properties), Object.keys(whole.limits));
    for (const part of [schema, properties.compliance, properties.limits])
      assert.equal(part.additionalProperties, false);
  });

  it('takes what the parser takes, and refuses what it refuses', () => {
    assert.equal(fits(whole, schema), true);
    assert.equal(fits({ version: 2 }, schema), false);
    for (const [, value] of wrong) {
      // A path in an origin is beyond what a pattern of the schema says well.
      assert.equal(fits(value, schema), false, JSON.stringify(value));
    }
  });
});

/** As much of JSON Schema as the file uses. */
function fits(value: unknown, at: Readonly<Record<string, unknown>>): boolean {
  const { enum: allowed, const: one, type, items, properties, required, pattern, minimum, minItems } = at;
  if (Array.isArray(allowed)) return allowed.includes(value);
  if (one !== undefined) return value === one;
  const is = (name: unknown): boolean =>
    name === 'null'
      ? value === null
      : name === 'array'
        ? Array.isArray(value)
        : name === 'integer'
          ? Number.isInteger(value)
          : typeof value === name && value !== null && !Array.isArray(value);
  if (!(Array.isArray(type) ? type : [type]).some(is)) return false;
  if (typeof value === 'number') return minimum === undefined || value >= Number(minimum);
  if (typeof value === 'string') return pattern === undefined || new RegExp(String(pattern)).test(value);
  if (Array.isArray(value)) {
    return value.length >= Number(minItems ?? 0) && value.every((item) => fits(item, items as typeof at));
  }
  if (typeof value !== 'object' || value === null) return true;
  const known = properties as Readonly<Record<string, typeof at>>;
  return (
    ((required as readonly string[] | undefined) ?? []).every((key) => key in value) &&
    Object.entries(value).every(([key, inner]) => known[key] !== undefined && fits(inner, known[key]))
  );
}
