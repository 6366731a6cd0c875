import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { globsOf } from '../../../src/gate/globs/globs.ts';
import { compliance, complianceFields, frameworks, regions } from '../../../src/policy/compliance/compliance.ts';
import { duplicateKey } from '../../../src/policy/files/duplicateKey.ts';
import type { ManagedPlace, ManagedProblem } from '../../../src/policy/managed/fileValues.ts';
import { features, type ManagedPolicy, managedLayer } from '../../../src/policy/managed/managedPolicy.ts';
import { parseManagedPolicy } from '../../../src/policy/managed/parseManagedPolicy.ts';
import { managedPolicyPath } from '../../../src/store/managed/managedFile.ts';
import { checkPath } from '../../tools/checkPath.ts';

const schema = JSON.parse(readFileSync('media/managed-policy.schema.json', 'utf8'));

const whole = {
  $schema: 'managed-policy.schema.json',
  version: 1,
  minVersion: '1.2.3',
  updateUrl: 'https://svc.example.com/svc-coder.vsix',
  optional: {},
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
  requireRecognition: true,
  limits: { requestBytes: 1000, fileBytes: 0, requestsPerDay: 500, tokensPerDay: 2_000_000 },
  disabledFeatures: ['generate'],
  tools: {
    allow: ['read_*', 'mcp:github/create_issue', 'mcp:io.github.acme/docs'],
    deny: ['git_diff', 'mcp:*'],
    approval: 'each',
    maxCalls: 20,
  },
  changes: { requireReview: true },
  evidence: {
    keepDays: 2200,
    origin: 'example.com/svc',
    otlp: {
      url: 'https://logs.example.com:4318/otlp/v1/logs',
      headers: { Authorization: 'Bearer abc', 'X-Scope-OrgID': 'dev' },
      backlogBytes: 1048576,
    },
    required: true,
  },
  identity: 'account',
  instructions: 'Use tabs.\nNo GPL code.',
  credentials: { environment: 'SVC_API_KEY', origin: 'https://svc.example.com' },
  source: {
    url: 'https://policy.example.com/svc.txt?of=all',
    publicKeys: ['policy.example.com+a1b2c3d4+AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='],
  },
};

/** More valid values. */
const good: readonly unknown[] = [
  { version: 1 },
  { version: 1, compliance: {} },
  { version: 1, compliance: { securityLevel: null, audit: null, frameworks: [] } },
  { version: 1, limits: {} },
  { version: 1, minVersion: '0.0.1' },
  { version: 1, optional: {} },
  { version: 1, optional: { limits: { fileBytes: 1 }, aLaterKey: { any: ['thing'] } } },
  { version: 1, disabledFeatures: [] },
  { version: 1, tools: {} },
  { version: 1, tools: { deny: [] } },
  { version: 1, tools: { approval: 'conversation', maxCalls: 1 } },
  { version: 1, tools: { approval: 'each', maxCalls: 60 } },
  { version: 1, tools: { allow: ['*'], deny: ['mcp:a-b', 'mcp:*'] } },
  { version: 1, changes: {} },
  { version: 1, changes: { requireReview: false } },
  { version: 1, evidence: {} },
  { version: 1, evidence: { keepDays: 1 } },
  { version: 1, evidence: { origin: 'a' } },
  { version: 1, evidence: { required: false } },
  { version: 1, evidence: { otlp: { url: 'http://127.0.0.1:4318/v1/logs' } } },
  { version: 1, evidence: { otlp: { url: 'http://[::1]/v1/logs', headers: {}, backlogBytes: 65536 } } },
  { version: 1, evidence: { otlp: { url: 'http://localhost/v1/logs', headers: { a: 'b' } }, required: true } },
  { version: 1, disabledFeatures: features },
  { version: 1, credentials: { command: ['/usr/local/bin/svc-login', '--audience', 'svc'], timeoutSeconds: 20 } },
  { version: 1, credentials: { command: ['C:\\Program Files\\svc\\login.exe'], origin: 'https://svc.example.com' } },
  { version: 1, credentials: { command: ['/opt/svc login/run.sh', ''], timeoutSeconds: 300 } },
  { version: 1, limits: { requestsPerDay: 1 } },
  { version: 1, limits: { tokensPerDay: Number.MAX_SAFE_INTEGER } },
  { version: 1, identity: 'none' },
  { version: 1, identity: 'subject' },
  { version: 1, instructions: 'ü'.repeat(4_096) },
  { version: 1, instructions: ' x ' },
  { version: 1, instructionsFile: 'a.md' },
  { version: 1, instructionsFile: 'our-rules_2.en.txt' },
  ...['https://svc.example.com:8443', 'https://[2001:db8::1]', 'http://localhost', 'http://[::1]:8080'].map(
    (origin) => ({
      version: 1,
      allowedOrigins: [origin],
    }),
  ),
];

const collector = 'https://logs.example.com/v1/logs';

function pathOf(where: ManagedPlace): string {
  return where.kind === 'key' ? where.path : `the ${where.kind}`;
}

/** The place of the error, as `path: found`. */
const wrong: readonly (readonly [string, unknown])[] = [
  ['the file', []],
  ['the file', 'x'],
  ['requireAudit', { version: 1, requireAudit: true }],
  ...['1.2', '1', 'v1.2.3', '1.2.3-beta', '1.2.3.4', '', '1.2.9999999999', 1, null].map(
    (minVersion) => ['minVersion', { version: 1, minVersion }] as const,
  ),
  ...[
    'http://svc.example.com',
    'https://user@svc.example.com',
    'https://svc.example.com/a b',
    'command:x',
    5,
    null,
  ].map((updateUrl) => ['updateUrl', { version: 1, updateUrl }] as const),
  ['optional', { version: 1, optional: ['limits'] }],
  ['optional.limits.bytes', { version: 1, optional: { limits: { bytes: 1 } } }],
  ['optional.requirePreview', { version: 1, optional: { requirePreview: 'yes' } }],
  ...['version', 'minVersion', 'updateUrl', 'optional', '$schema'].map(
    (key) => [`optional.${key}`, { version: 1, optional: { [key]: 1 } }] as const,
  ),
  ['compliance.level', { version: 1, compliance: { level: 'high' } }],
  ['compliance.securityLevel', { version: 1, compliance: { securityLevel: 'Maximum' } }],
  ['compliance.audit', { version: 1, compliance: { audit: 'true' } }],
  ['compliance.frameworks', { version: 1, compliance: { frameworks: ['HIPAA'] } }],
  ['compliance', { version: 1, compliance: [] }],
  ['allowedRegions[1]', { version: 1, allowedRegions: ['eu-west', 'mars'] }],
  ['allowedRegions', { version: 1, allowedRegions: [] }],
  ['allowedOrigins[0]', { version: 1, allowedOrigins: ['svc.example.com'] }],
  ['allowedOrigins[0]', { version: 1, allowedOrigins: ['https://svc.example.com/api'] }],
  ['allowedOrigins[0]', { version: 1, allowedOrigins: ['https://svc.example.com/'] }],
  ['allowedOrigins[0]', { version: 1, allowedOrigins: ['https://svc.example.com:443'] }],
  ['allowedOrigins[0]', { version: 1, allowedOrigins: ['https://Svc.example.com'] }],
  ['allowedOrigins[0]', { version: 1, allowedOrigins: ['https://user@svc.example.com'] }],
  ['allowedOrigins[0]', { version: 1, allowedOrigins: ['http://svc.example.com'] }],
  ['allowedOrigins[0]', { version: 1, allowedOrigins: ['http://127.0.0.1:80'] }],
  ['allowedOrigins[0]', { version: 1, allowedOrigins: ['http://localhost.example.com'] }],
  ['allowedOrigins[0]', { version: 1, allowedOrigins: ['*'] }],
  ['allowedOrigins[1]', { version: 1, allowedOrigins: ['https://svc.example.com', null] }],
  ['allowedModels[0]', { version: 1, allowedModels: ['svc/* extra'] }],
  ['allowedModels[0]', { version: 1, allowedModels: ['*/auto'] }],
  ['allowedModels[0]', { version: 1, allowedModels: ['*'] }],
  ['allowedModels[0]', { version: 1, allowedModels: [''] }],
  ['allowedModels', { version: 1, allowedModels: 'svc/auto' }],
  ['requireAuditLog', { version: 1, requireAuditLog: null }],
  ['forbidUnmaskedSecrets', { version: 1, forbidUnmaskedSecrets: 1 }],
  ['requireRecognition', { version: 1, requireRecognition: 'complete' }],
  ['compliance.frameworks', { version: 1, compliance: { frameworks: null } }],
  ['compliance.dataResidency', { version: 1, compliance: { dataResidency: ['eu-west'] } }],
  ['limits', { version: 1, limits: [] }],
  ['limits.requestBytes', { version: 1, limits: { requestBytes: '1000' } }],
  ['limits.requestBytes', { version: 1, limits: { requestBytes: 1e300 } }],
  ['$schema', { version: 1, $schema: 5 }],
  ['disabledFeatures', { version: 1, disabledFeatures: {} }],
  ['requirePreview', { version: 1, requirePreview: 'yes' }],
  ['limits.requestBytes', { version: 1, limits: { requestBytes: -1 } }],
  ['limits.fileBytes', { version: 1, limits: { fileBytes: 1.5 } }],
  ['limits.bytes', { version: 1, limits: { bytes: 1 } }],
  ['limits.requestsPerHour', { version: 1, limits: { requestsPerHour: 1 } }],
  ...(['requestsPerDay', 'tokensPerDay'] as const).flatMap((name) =>
    [0, -1, 1.5, '500', null, true, [500], 1e300].map(
      (value) => [`limits.${name}`, { version: 1, limits: { [name]: value } }] as const,
    ),
  ),
  ['disabledFeatures[0]', { version: 1, disabledFeatures: ['chat'] }],
  ['tools', { version: 1, tools: ['read_file'] }],
  ['tools.allowed', { version: 1, tools: { allowed: ['read_file'] } }],
  ['tools.allow', { version: 1, tools: { allow: [] } }],
  ['tools.allow', { version: 1, tools: { allow: 'read_file' } }],
  ...['reads', 'Each', true, null].map((approval) => ['tools.approval', { version: 1, tools: { approval } }] as const),
  ...[0, 61, 1.5, -1, '5', null].map((maxCalls) => ['tools.maxCalls', { version: 1, tools: { maxCalls } }] as const),
  ...['', 'read file', '*file', 're*d', 'mcp:', 'mcp:a b', 'mcp:a*b', 'mcp:**', 'a/b', 'a'.repeat(65), 5, null].map(
    (name) => ['tools.deny[0]', { version: 1, tools: { deny: [name] } }] as const,
  ),
  ['changes', { version: 1, changes: true }],
  ['changes.requireReview', { version: 1, changes: { requireReview: 'yes' } }],
  ['changes.review', { version: 1, changes: { review: true } }],
  ...['', 'Account', 'user', true, null, ['account'], {}].map(
    (identity) => ['identity', { version: 1, identity }] as const,
  ),
  ...['', ' \n\t', 'x'.repeat(8_193), 'a\0b', 5, null, ['x'], {}].map(
    (instructions) => ['instructions', { version: 1, instructions }] as const,
  ),
  ...[
    '',
    'rules',
    '.md',
    '.rules.md',
    '../a.md',
    'a/b.md',
    'a\\b.md',
    '/etc/svc/a.md',
    'policy.json',
    'C:a.md',
    'ü.md',
    'a.md ',
    5,
    null,
  ].map((instructionsFile) => ['instructionsFile', { version: 1, instructionsFile }] as const),
  ['instructionsFile', { version: 1, instructions: 'a', instructionsFile: 'a.md' }],
  ['credentials', { version: 1, credentials: 'SVC_API_KEY' }],
  ['credentials.environment', { version: 1, credentials: { origin: 'https://svc.example.com' } }],
  ['credentials.environment', { version: 1, credentials: { environment: '', origin: 'https://svc.example.com' } }],
  ['credentials.environment', { version: 1, credentials: { environment: '1A', origin: 'https://svc.example.com' } }],
  ['credentials.environment', { version: 1, credentials: { environment: 'A=B', origin: 'https://svc.example.com' } }],
  ['credentials.environment', { version: 1, credentials: { environment: ['A'], origin: 'https://svc.example.com' } }],
  ['credentials.origin', { version: 1, credentials: { environment: 'A' } }],
  ['credentials.origin', { version: 1, credentials: { environment: 'A', origin: 'http://svc.example.com' } }],
  ['credentials.origin', { version: 1, credentials: { environment: 'A', origin: 'https://svc.example.com/' } }],
  ['credentials.origin', { version: 1, credentials: { environment: 'A', origin: '*' } }],
  ['credentials.key', { version: 1, credentials: { key: 'a', environment: 'A', origin: 'https://svc.example.com' } }],
  ['source', { version: 1, source: 'https://policy.example.com' }],
  ['source.key', { version: 1, source: { ...whole.source, key: 1 } }],
  ...[
    'http://policy.example.com/a',
    'https://user@policy.example.com/a',
    'https://policy.example.com/a#b',
    'https://policy.example.com/a b',
    'policy.txt',
    'file:///etc/svc/policy.txt',
    5,
    undefined,
  ].map((url) => ['source.url', { version: 1, source: { ...whole.source, url } }] as const),
  ['source.publicKeys', { version: 1, source: { ...whole.source, publicKeys: [] } }],
  ['source.publicKeys', { version: 1, source: { url: whole.source.url } }],
  ...['', 'a+b+c', 'policy.example.com+a1b2c3d4+AAAA', `policy example+a1b2c3d4+${'A'.repeat(44)}`, 5].map(
    (key) => ['source.publicKeys[0]', { version: 1, source: { ...whole.source, publicKeys: [key] } }] as const,
  ),
  ...[
    ...[null, '/usr/bin/svc-login', [], [''], ['svc-login'], ['./svc-login'], ['~/svc-login'], [5], [['/a']]],
    ...[['/a', 5], ['/a\0b'], ['/a', 'b\0'], ['/a.bat'], ['C:\\a.CMD'], ['C:\\a.bat . '], ['\\\\server\\a.exe']],
    ...[['/a', 'b'.repeat(4_097)], Array(101).fill('/a')],
  ].map((command) => ['credentials.command', { version: 1, credentials: { command } }] as const),
  ...[0, 301, 1.5, '20', null].map(
    (timeoutSeconds) =>
      ['credentials.timeoutSeconds', { version: 1, credentials: { command: ['/a'], timeoutSeconds } }] as const,
  ),
  ['credentials.origin', { version: 1, credentials: { command: ['/a'], origin: 'https://svc.example.com/api/v1' } }],
  ['credentials.environment', { version: 1, credentials: { command: ['/a'], environment: 'A' } }],
  ['credentials.shell', { version: 1, credentials: { command: ['/a'], shell: true } }],
  ['evidence', { version: 1, evidence: [] }],
  ['evidence.keepDays', { version: 1, evidence: { keepDays: 0 } }],
  ['evidence.keepDays', { version: 1, evidence: { keepDays: '30' } }],
  ['evidence.origin', { version: 1, evidence: { origin: 'a b' } }],
  ['evidence.origin', { version: 1, evidence: { origin: 'a+b' } }],
  ['evidence.origin', { version: 1, evidence: { origin: '' } }],
  ...[
    ...['http://logs.example.com/v1/logs', 'https://logs.example.com', 'https://logs.example.com/v1/logs/'],
    ...[
      'https://user:pw@logs.example.com/v1/logs',
      'https://logs.example.com/v1/logs?token=pw',
      '',
      5,
      null,
      undefined,
    ],
    ...['https://logs.example.com/v1/logs#pw', 'ftp://logs.example.com/v1/logs', 'logs.example.com/v1/logs'],
    ...['http://localhost.example.com/v1/logs', 'https://logs.example.com/v1/lo\ngs', ' https://a.example/v1/logs'],
  ].map((url) => ['evidence.otlp.url', { version: 1, evidence: { otlp: { url } } }] as const),
  ['evidence.otlp', { version: 1, evidence: { otlp: 'https://logs.example.com/v1/logs' } }],
  ['evidence.otlp', { version: 1, evidence: { otlp: [] } }],
  ['evidence.otlp.key', { version: 1, evidence: { otlp: { url: collector, key: 'a' } } }],
  ...[1, 65_535, '65536', null].map(
    (backlogBytes) =>
      ['evidence.otlp.backlogBytes', { version: 1, evidence: { otlp: { url: collector, backlogBytes } } }] as const,
  ),
  ['evidence.otlp.headers', { version: 1, evidence: { otlp: { url: collector, headers: ['a'] } } }],
  ...['a b', 'ü', ''].map(
    (name) =>
      [
        'evidence.otlp.headers',
        { version: 1, evidence: { otlp: { url: collector, headers: { [name]: 'b' } } } },
      ] as const,
  ),
  ...['', ' b', 'b\r\nc: d', 'ü', 5, null].map(
    (a) => ['evidence.otlp.headers.a', { version: 1, evidence: { otlp: { url: collector, headers: { a } } } }] as const,
  ),
  ['evidence.required', { version: 1, evidence: { required: true } }],
  ['evidence.required', { version: 1, evidence: { keepDays: 9, required: true } }],
  ['evidence.required', { version: 1, evidence: { otlp: { url: collector }, required: 'yes' } }],
  ['evidence.url', { version: 1, evidence: { url: 'https://a.example' } }],
];

function problemOf(text: string): ManagedProblem {
  const parsed = parseManagedPolicy(text, '1.2.3');
  assert.ok(!parsed.ok);
  return parsed.problem;
}

function policyOf(value: unknown): ManagedPolicy {
  const parsed = parseManagedPolicy(JSON.stringify(value), '1.2.3');
  assert.ok(parsed.ok, JSON.stringify(parsed));
  return parsed.policy;
}

describe('policy: the managed file', () => {
  it('is read unchanged', () => {
    const { compliance, ...rest } = policyOf(whole);
    const {
      $schema: _,
      version: __,
      minVersion: ___,
      updateUrl: ____,
      optional: _____,
      compliance: asked,
      ...written
    } = whole;
    assert.deepEqual(rest, written);
    assert.deepEqual(compliance, {
      'svc.compliance.securityLevel': asked.securityLevel,
      'svc.compliance.audit': true,
      'svc.compliance.zeroRetention': false,
      'svc.compliance.frameworks': asked.frameworks,
    });
  });

  it('constrains only what it names', () => {
    assert.deepEqual(policyOf({ version: 1 }), {
      compliance: {},
      requireAuditLog: false,
      requirePreview: false,
      forbidUnmaskedSecrets: false,
      limits: {},
      disabledFeatures: [],
      evidence: {},
    });
    assert.ok(parseManagedPolicy('\uFEFF{"version":1}', '1.2.3').ok);
  });

  it('sends nothing with an earlier version of the extension, whatever else a later one may know', () => {
    const updateUrl = 'https://svc.example.com/svc-coder.vsix';
    for (const minVersion of ['1.2.4', '1.10.0', '2.0.0']) {
      const problem = problemOf(JSON.stringify({ version: 1, minVersion, updateUrl, aLaterKey: 1 }));
      assert.deepEqual(problem, { reason: 'old-version', own: '1.2.3', wanted: minVersion, updateUrl });
    }
    assert.ok(parseManagedPolicy('{"version":1,"minVersion":"1.2.3"}', '1.2.3-beta.1').ok);
    assert.ok(parseManagedPolicy('{"version":1,"minVersion":"1.2.10"}', '1.3.0').ok);
    // A version that cannot be compared is not known to be late enough.
    assert.ok(!parseManagedPolicy('{"version":1,"minVersion":"0.0.1"}', 'unknown').ok);
  });

  it('has no key both under `optional` and outside', () => {
    const problem = problemOf('{"version":1,"limits":{"fileBytes":1},"optional":{"limits":{}}}');
    assert.ok(problem.reason === 'malformed' && problem.found.kind === 'keyTwice');
    assert.equal(pathOf(problem.where), 'optional.limits');
  });

  it('applies an optional key that this version knows, and names one that it does not know', () => {
    const optional = { limits: { fileBytes: 5 }, disabledFeatures: ['tools'], aLaterKey: 1, ['__proto__']: { a: 1 } };
    const policy = policyOf({ version: 1, requirePreview: true, optional });
    assert.deepEqual(policy.limits, { fileBytes: 5 });
    assert.deepEqual(policy.disabledFeatures, ['tools']);
    assert.equal(policy.requirePreview, true);
    assert.deepEqual(policy.ignored, ['aLaterKey', '__proto__']);
  });

  for (const [where, value] of wrong) {
    it(`is refused at ${where}: ${JSON.stringify(value)}`, () => {
      const problem = problemOf(JSON.stringify(value));
      assert.equal(problem.reason, 'malformed');
      assert.equal(problem.reason === 'malformed' && pathOf(problem.where), where);
    });
  }

  it('shows no secret of the collector in a problem', () => {
    for (const otlp of [
      ['geheim'],
      { url: collector, headers: ['geheim'] },
      { url: 'https://user:geheim@a.example/v1/logs' },
      { url: 'https://a.example/v1/logs?key=geheim' },
      { url: collector, headers: 'geheim' },
      { url: collector, headers: { Authorization: 'geheim\n' } },
    ]) {
      const problem = JSON.stringify(problemOf(JSON.stringify({ version: 1, evidence: { otlp } })));
      assert.doesNotMatch(problem, /geheim/);
      assert.match(problem, /evidence\.otlp/);
    }
  });

  it('shows no secret of an evidence section that is not an object', () => {
    const text = JSON.stringify({ version: 1, evidence: [{ otlp: { headers: { a: 'geheim' } } }] });
    assert.doesNotMatch(JSON.stringify(problemOf(text)), /geheim/);
  });

  it('sets no header that the extension sets, and none twice, in whatever case', () => {
    const own = ['Content-Type', 'host', 'Transfer-Encoding', 'Accept-Encoding', 'User-Agent', 'Proxy-Authorization'];
    for (const headers of [...own.map((name) => ({ [name]: 'b' })), { a: 'b', A: 'c' }]) {
      const problem = problemOf(JSON.stringify({ version: 1, evidence: { otlp: { url: collector, headers } } }));
      assert.equal(problem.reason === 'malformed' && pathOf(problem.where), 'evidence.otlp.headers');
    }
  });

  it('reports where it is not JSON', () => {
    const where = (text: string): unknown => {
      const problem = problemOf(text);
      return problem.reason === 'malformed' && problem.found.kind === 'notJson' ? problem.where : problem;
    };
    const position = (line: number, column: number) => ({ kind: 'position', line, column });
    assert.deepEqual(where('{\n  "version": 1,\n}'), position(3, 1));
    assert.deepEqual(where('{\n  "version": 1'), position(2, 15));
    assert.deepEqual(where(''), position(1, 1));
    assert.deepEqual(where('{"version": 1} // no comments'), position(1, 16));
  });

  it('a file with a duplicate key is refused: the second value would win and may be looser', () => {
    const samples = {
      '{"version":1,"requireAuditLog":true,"requireAuditLog":false}': 'requireAuditLog',
      '{"version":1,"version":1}': 'version',
      '{"version":1,"limits":{"fileBytes":1,"requestBytes":2,"fileBytes":3}}': 'limits.fileBytes',
      '{"version":1,"compliance":{"audit":true,"au\\u0064it":false}}': 'compliance.audit',
      '{"a":[1,{"b":"b","c":{"b":[",","\\"",{}]}},{"b":1,"b":2}]}': 'a[2].b',
    };
    for (const [text, where] of Object.entries(samples)) {
      // The version of the last one is checked later.
      assert.deepEqual(problemOf(text), {
        reason: 'malformed',
        where: { kind: 'key', path: where },
        found: { kind: 'keyTwice' },
        allowed: { kind: 'eachKeyOnce' },
      });
    }
    assert.ok(parseManagedPolicy('{"version":1,"limits":{},"compliance":{"frameworks":["gdpr","gdpr"]}}', '1.2.3').ok);
  });

  it('the output of JSON.stringify has no duplicate key', () => {
    fc.assert(
      fc.property(fc.json(), (text) => duplicateKey(text) === null),
      { numRuns: 5_000 },
    );
  });

  it('a file of a megabyte is read in time', () => {
    const text = JSON.stringify({ version: 1, $schema: '\n"'.repeat(250_000) });
    assert.ok(parseManagedPolicy(text, '1.2.3').ok);
    assert.equal(problemOf('['.repeat(500_000) + ']'.repeat(500_000)).reason, 'malformed');
  });

  it('a file of another version is refused as such, whatever its content', () => {
    for (const version of [2, 0, '1', null, undefined]) {
      assert.equal(problemOf(JSON.stringify({ version, later: true })).reason, 'unknown-version');
    }
  });

  it('any text is read or refused without an exception', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => void parseManagedPolicy(text, '1.2.3')),
      { numRuns: 2_000 },
    );
  });

  it('is a layer: a single allowed region is required', () => {
    const layerOf = (value: object): unknown =>
      managedLayer({ state: 'in-force', file: 'f', digest: 'd', policy: policyOf({ version: 1, ...value }) })?.values;
    assert.deepEqual(layerOf({ allowedRegions: ['eu-west'] }), { 'svc.compliance.dataResidency': 'eu-west' });
    assert.deepEqual(layerOf({ allowedRegions: ['eu-west', 'us-east'] }), {});
    assert.equal(managedLayer({ state: 'none' }), null);
  });
});

describe('policy: the schema for editors', () => {
  it('has the same keys and words as the parser', () => {
    const { properties } = schema;
    // A policy has the instructions or the name of a file with them.
    assert.deepEqual(Object.keys(properties).sort(), [...Object.keys(whole), 'instructionsFile'].sort());
    assert.deepEqual(Object.keys(properties.compliance.properties), complianceFields);
    assert.deepEqual(properties.compliance.properties.securityLevel.enum, [...compliance.securityLevel.values, null]);
    assert.deepEqual(properties.compliance.properties.dataResidency.enum, [...regions, null]);
    assert.deepEqual(properties.compliance.properties.frameworks.items.enum, [...frameworks]);
    assert.deepEqual(properties.allowedRegions.items.enum, [...regions]);
    assert.deepEqual(properties.disabledFeatures.items.enum, [...features]);
    assert.deepEqual(Object.keys(properties.limits.properties), Object.keys(whole.limits));
    for (const part of [schema, properties.compliance, properties.limits])
      assert.equal(part.additionalProperties, false);
  });

  it('accepts and rejects the same as the parser', () => {
    for (const value of [whole, ...good]) {
      policyOf(value);
      assert.equal(fits(value, schema), true, JSON.stringify(value));
    }
    assert.equal(fits({ version: 2 }, schema), false);
    assert.equal(fits({}, schema), false);
    for (const [, value] of wrong) assert.equal(fits(value, schema), false, JSON.stringify(value));
  });

  it('describes every field', () => {
    interface Part {
      readonly $ref?: string;
      readonly description?: string;
      readonly properties?: Readonly<Record<string, Part>>;
      readonly oneOf?: readonly Part[];
    }
    const described = (at: Readonly<Record<string, Part>>): void => {
      for (const [key, { $ref, description, properties = {}, oneOf = [] }] of Object.entries(at)) {
        assert.ok($ref ?? description, key);
        for (const form of [{ properties }, ...oneOf]) described(form.properties ?? {});
      }
    };
    described(schema.properties);
  });

  it('is contributed for each path of the file', () => {
    const { contributes } = JSON.parse(readFileSync('package.json', 'utf8'));
    const [{ url, fileMatch }] = contributes.jsonValidation;
    assert.equal(url, './media/managed-policy.schema.json');
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      const path = managedPolicyPath(platform, undefined).replaceAll('\\', '/');
      assert.ok(
        [fileMatch].flat().some((glob: string) => checkPath(globsOf({ [glob]: true }, false), path) !== null),
        path,
      );
    }
  });
});

const anything = {};

/** The subset of JSON Schema that the file uses. */
function fits(value: unknown, at: Readonly<Record<string, unknown>>): boolean {
  const { enum: allowed, const: one, type, items, properties, required, pattern, minimum, maximum, minItems } = at;
  if (Object.keys(at).length === 0) return true;
  if (typeof at.$ref === 'string') return fits(value, schema.properties[at.$ref.replace('#/properties/', '')]);
  if (Array.isArray(at.oneOf)) return at.oneOf.filter((form) => fits(value, { type, ...form })).length === 1;
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
  if (typeof value === 'number') {
    return value >= Number(minimum ?? Number.NEGATIVE_INFINITY) && value <= Number(maximum ?? Number.POSITIVE_INFINITY);
  }
  if (typeof value === 'string') {
    const isShort = [...value].length <= Number(at.maxLength ?? Number.POSITIVE_INFINITY);
    return isShort && (pattern === undefined || new RegExp(String(pattern), 'u').test(value));
  }
  if (Array.isArray(value)) {
    const isLong = value.length > Number(at.maxItems ?? Number.POSITIVE_INFINITY);
    const form = (index: number) => (Array.isArray(items) ? (items[index] ?? at.additionalItems) : items);
    return !isLong && value.length >= Number(minItems ?? 0) && value.every((item, index) => fits(item, form(index)));
  }
  if (typeof value !== 'object' || value === null) return true;
  const { propertyNames: names, additionalProperties: others, if: condition, then, not } = at;
  const known = (properties ?? {}) as Readonly<Record<string, typeof at>>;
  const alone = (of: unknown) => ({ type: 'object', ...(of as object), additionalProperties: anything });
  if (not !== undefined && fits(value, alone(not))) return false;
  if (condition !== undefined && fits(value, alone(condition)) && !fits(value, alone(then))) return false;
  return (
    ((required as readonly string[] | undefined) ?? []).every((key) => key in value) &&
    Object.entries(value).every(([key, inner]) => {
      const inside = known[key] ?? (typeof others === 'object' ? (others as typeof at) : undefined);
      return inside !== undefined && fits(inner, inside) && fits(key, { type: 'string', ...(names ?? {}) });
    })
  );
}

describe('policy: documentation', () => {
  for (const page of ['docs/administration.md', 'media/walkthrough/compliance.md']) {
    it(`${page} has a valid example`, () => {
      const examples = [...readFileSync(page, 'utf8').matchAll(/^```json\n([\s\S]*?)^```/gm)];
      const policies = examples.map(([, json = '']) => json).filter((json) => json.includes('"version"'));
      assert.equal(policies.length, 1);
      for (const json of policies) assert.ok(fits(policyAsWritten(json), schema));
    });
  }

  it('claims evidence, and no compliance', () => {
    for (const page of ['docs/audit.md', 'media/walkthrough/compliance.md']) {
      assert.match(readFileSync(page, 'utf8'), /helps to produce evidence/, page);
    }
    for (const page of ['README.md', 'media/walkthrough/compliance.md', ...globSync('docs/*.md')]) {
      assert.doesNotMatch(readFileSync(page, 'utf8'), /\bcompl(y|ies|iant)\b/i, page);
    }
  });
});

/** The content of an example. Fails if the parser rejects it. */
function policyAsWritten(json: string): unknown {
  const parsed = parseManagedPolicy(json, '1.2.3');
  assert.ok(parsed.ok, JSON.stringify(parsed));
  return JSON.parse(json);
}
