import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compliance, fieldOfHeader } from '../../../src/policy/compliance/compliance.ts';
import { headerLabel, shortHeaderLabel } from '../../../src/policy/compliance/headerLabel.ts';
import { flagWords } from '../../tools/headerInventory.ts';
import { withTables } from '../../tools/managedSchema.ts';

/** Two rows that are not in the table, and the text that the flag needs. */
const sixthRow = `  noTraining: {
    setting: 'svc.compliance.noTraining',
    header: 'Svc-No-Training',
    values: [false, true],
    combine: 'strictest',
    receiptNames: ['trainingoptout'],
    managed: '.',
  },
  processor: {
    setting: 'svc.compliance.processor',
    header: 'Svc-Processor',
    values: ['own', 'other'],
    combine: 'agree',
    receiptNames: [],
    managed: '.',
  },
} as const satisfies`;
const sixthWord = "zeroRetention: t('zero retention'), noTraining: t('no training')";

describe('policy: the table of headers is the only place that names them', () => {
  it('no other file of src/ contains the name of a header or of its setting', () => {
    const named = Object.values(compliance).flatMap(({ header, setting }) => [header, setting]);
    const files = readdirSync('src', { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    assert.ok(files.length > 300);
    const found = files
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((file) => file !== join('src', 'policy', 'compliance', 'compliance.ts'))
      .flatMap((file) => {
        const text = readFileSync(file, 'utf8');
        return named.filter((name) => new RegExp(`${name}\\b`, 'i').test(text)).map((name) => `${file}: ${name}`);
      });
    assert.deepEqual(found, []);
  });

  it('the schema of the managed policy matches the tables (npm run docs generates it)', () => {
    const schema = JSON.parse(readFileSync('media/managed-policy.schema.json', 'utf8'));
    assert.deepEqual(withTables(schema), schema);
  });

  it('the name of a property of Object is not a header', () => {
    for (const name of ['constructor', '__proto__', 'svc-audit-enabled', ''])
      assert.equal(fieldOfHeader(name), undefined);
  });
});

describe('policy: headers in a word', () => {
  const short = (...headers: readonly (readonly [string, string])[]): string =>
    shortHeaderLabel(
      headers.map(([name, value]) => ({ name, value })),
      flagWords,
    );

  it('is the first, with the number of others', () => {
    assert.equal(short(), '');
    assert.equal(short(['Svc-Security-Level', 'high']), 'high');
    assert.equal(short(['Svc-Security-Level', 'high'], ['Svc-Audit-Enabled', 'true']), 'high +1');
    assert.equal(short(['Svc-Audit-Enabled', 'true'], ['Svc-Zero-Retention', 'true']), 'audit +1');
    assert.equal(short(['Svc-Compliance-Frameworks', 'hipaa,gdpr'], ['Svc-New', 'x']), 'hipaa, gdpr +1');
  });
});

describe('policy: headers in one line', () => {
  const label = (...headers: readonly (readonly [string, string])[]): string =>
    headerLabel(
      headers.map(([name, value]) => ({ name, value })),
      flagWords,
    );

  it('contains values, the text of flags, and the items of lists', () => {
    assert.equal(label(), '');
    assert.equal(
      label(
        ['Svc-Security-Level', 'high'],
        ['Svc-Audit-Enabled', 'true'],
        ['Svc-Zero-Retention', 'true'],
        ['Svc-Compliance-Frameworks', 'hipaa,gdpr'],
      ),
      'high · audit · zero retention · hipaa, gdpr',
    );
  });

  it('distinguishes a false flag, and a header of another version, from a missing one', () => {
    assert.equal(label(['Svc-Audit-Enabled', 'false']), 'audit: false');
    assert.equal(label(['Svc-Older', 'true']), 'older: true');
  });
});

describe('policy: a sixth header', () => {
  let copy: string;
  // biome-ignore lint/suspicious/noExplicitAny: modules of the copy have no types here
  const load = (file: string): Promise<any> => import(pathToFileURL(join(copy, file)).href);
  const replaced = (file: string, before: string, after: string): void => {
    const text = readFileSync(join(copy, file), 'utf8');
    assert.equal(text.split(before).length, 2, file);
    writeFileSync(join(copy, file), text.replace(before, after));
  };

  before(() => {
    copy = mkdtempSync(join(tmpdir(), 'svc-sixth-'));
    cpSync('src', join(copy, 'src'), { recursive: true });
    cpSync('test/tools/managedSchema.ts', join(copy, 'test/tools/managedSchema.ts'));
    cpSync('package.json', join(copy, 'package.json'));
    cpSync('tsconfig.json', join(copy, 'tsconfig.json'));
    symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'), 'junction');
    replaced('src/policy/compliance/compliance.ts', '} as const satisfies', sixthRow);
    replaced('src/platform/messages/describePolicy.ts', "zeroRetention: t('zero retention')", sixthWord);
  });

  after(() => rmSync(copy, { recursive: true, force: true }));

  it('compiles with only its row and its text', function () {
    // Compiles all of src/ on a machine that may be busy.
    this.timeout(300_000);
    const config = { extends: './tsconfig.json', include: ['src'] };
    writeFileSync(join(copy, 'sixth.json'), JSON.stringify(config));
    const tsc = join(copy, 'node_modules', 'typescript', 'bin', 'tsc');
    execFileSync(process.execPath, [tsc, '-p', 'sixth.json'], { cwd: copy, stdio: 'pipe' });
  });

  it('becomes a setting, combines, and appears in the request, the posture, the receipt and the managed policy', async () => {
    const { settings } = await load('src/policy/settings.ts');
    const key = 'svc.compliance.noTraining';
    assert.deepEqual(settings[key], { ...settings[compliance.audit.setting], wire: 'Svc-No-Training' });

    const { resolvePolicy } = await load('src/policy/compliance/resolve.ts');
    const { resolvedHeaders, policyHeaders } = await load('src/policy/compliance/headers.ts');
    const { policy } = resolvePolicy([
      { layer: 'user', values: { [key]: true } },
      { layer: 'workspace', values: { [key]: false } },
    ]);
    assert.deepEqual(policyHeaders(policy), [['Svc-No-Training', 'true']]);
    const [header] = resolvedHeaders(policy);
    assert.deepEqual(header, {
      ...{ name: 'Svc-No-Training', value: 'true', key, setBy: [{ layer: 'user' }] },
      overruled: [{ layer: 'workspace', asked: 'false' }],
    });
    assert.equal(resolvePolicy([{ layer: 'user', values: { [key]: 'yes' } }]).ok, false);

    const ours = await load('src/policy/compliance/headerLabel.ts');
    assert.equal(ours.headerLabel([header], { ...flagWords, noTraining: 'no training' }), 'no training');
    const { receiptOf } = await load('src/send/message/receipt.ts');
    for (const [said, verdict] of [
      [{ noTraining: true }, 'confirmed'],
      [{ 'svc-no-training': 'enabled' }, 'confirmed'],
      [{ training_opt_out: false }, 'contradicted'],
    ]) {
      assert.equal(receiptOf(said, [header]).verdict, verdict);
    }

    const { parseManagedPolicy } = await load('src/policy/managed/parseManagedPolicy.ts');
    const { managedLayer } = await load('src/policy/managed/managedPolicy.ts');
    const parsed = parseManagedPolicy('{"version": 1, "compliance": {"noTraining": true}}', '1.0.0');
    assert.deepEqual(managedLayer({ state: 'in-force', policy: parsed.policy }).values, { [key]: true });
    const schema = await load('test/tools/managedSchema.ts');
    const { properties } = schema.withTables(JSON.parse(readFileSync('media/managed-policy.schema.json', 'utf8')));
    assert.deepEqual(properties.compliance.properties.noTraining, {
      type: ['boolean', 'null'],
      description: 'Svc-No-Training.',
    });
  });

  it('a header on which the layers must agree is not a region: the administrator’s list of regions does not apply', async () => {
    const { complianceState } = await load('src/policy/compliance/complianceState.ts');
    const key = 'svc.compliance.processor';
    const managed = { state: 'in-force', policy: { allowedRegions: ['eu-west'] } };
    const stateWith = (...values: readonly string[]) =>
      complianceState('processor', {
        layers: values.map((value, index) => ({ layer: index === 0 ? 'user' : 'workspace', values: { [key]: value } })),
        managed,
      });
    assert.deepEqual([stateWith('own').header.value, stateWith('own').problems], ['own', []]);
    assert.deepEqual(stateWith().problems, []);
    assert.deepEqual(
      stateWith('own', 'other').problems.map(({ reason }: { reason: string }) => reason),
      ['conflict'],
    );
    const region = { layer: 'user', values: { [compliance.dataResidency.setting]: 'us-east' } };
    const [problem] = complianceState('dataResidency', { layers: [region], managed }).problems;
    assert.equal(problem.reason, 'not-managed');
  });
});
