import assert from 'node:assert/strict';
import { compliance, complianceFields } from '../../../../src/policy/compliance/compliance.ts';
import { complianceState, effectOf } from '../../../../src/policy/compliance/complianceState.ts';
import { type ManagedState, managedLayer } from '../../../../src/policy/managed/managedPolicy.ts';
import type { Layer } from '../../../../src/policy/requestPolicy.ts';
import { hostModule } from '../../../tools/hostModule.ts';
import { inForceFrom } from '../../../tools/managedPolicy.ts';
import { folder, user, workspace } from '../../policy/layers.ts';

type Words = typeof import('../../../../src/features/compliance/vscode/describeCompliance.ts');

const { securityLevel, dataResidency, audit, zeroRetention, frameworks } = compliance;

describe('the rows of the compliance settings', () => {
  let words: Words;
  before(async () => {
    words = await hostModule<Words>('src/features/compliance/vscode/describeCompliance.ts', 'en');
  });
  const sources = (policy: object | null, ...layers: readonly Layer[]) => {
    if (policy === null) return { layers, managed: { state: 'none' } satisfies ManagedState };
    const managed = inForceFrom(policy);
    return { managed, layers: [managedLayer(managed) ?? assert.fail(), ...layers] };
  };
  const rows = (policy: object | null, ...layers: readonly Layer[]): readonly string[] =>
    complianceFields.map((field) =>
      Object.values(words.describeRow(complianceState(field, sources(policy, ...layers)))).join(' | '),
    );

  it('have the names of the settings editor, and "Not set" without a value', () => {
    assert.deepEqual(rows(null), [
      `Security Level: Not set |  | ${securityLevel.header} is not sent`,
      `Data Residency: Not set |  | ${dataResidency.header} is not sent`,
      `Audit: Not set |  | ${audit.header} is not sent`,
      `Zero Retention: Not set |  | ${zeroRetention.header} is not sent`,
      `Frameworks: Not set |  | ${frameworks.header} is not sent`,
    ]);
  });

  it('show who set a value, what is sent, and that a stricter scope applies', () => {
    const found = rows(
      { compliance: { securityLevel: 'maximum' } },
      user({ [securityLevel.setting]: 'standard', [audit.setting]: false, [frameworks.setting]: ['gdpr'] }),
      workspace({ [audit.setting]: true, [zeroRetention.setting]: false }),
      folder('app', { [frameworks.setting]: ['hipaa'], [dataResidency.setting]: 'eu-west' }),
    );
    assert.deepEqual(found.slice(0, 5), [
      `Security Level: maximum | set by your administrator | Sent as ${securityLevel.header}: maximum. The strictest scope applies (user set standard).`,
      `Data Residency: eu-west | set by folder app | Sent as ${dataResidency.header}: eu-west`,
      `Audit: On | set by workspace | Sent as ${audit.header}: true. The strictest scope applies (user set Off).`,
      `Zero Retention: Off | set by workspace | Sent as ${zeroRetention.header}: false`,
      `Frameworks: hipaa, gdpr | set by user, folder app | Sent as ${frameworks.header}: hipaa,gdpr`,
    ]);
  });

  it('show an invalid value as it is, a contradiction, and what the administrator allows', () => {
    const [level] = rows(
      null,
      user({ [securityLevel.setting]: 'high' }),
      workspace({ [securityLevel.setting]: 'low' }),
    );
    assert.equal(
      level,
      `Security Level: "low" | set by workspace | Nothing is sent: ${securityLevel.setting} is "low" in workspace settings. Allowed: standard, high, maximum, null.`,
    );
    const [, region] = rows(
      { compliance: { dataResidency: 'eu-west' } },
      workspace({ [dataResidency.setting]: 'us-east' }),
    );
    assert.match(region ?? '', /^Data Residency: "eu-west", "us-east" \| set by your administrator, workspace \| /);
    assert.match(region ?? '', /"eu-west" set by your administrator, "us-east" in workspace settings/);
    const [, missing] = rows({ allowedRegions: ['eu-west', 'us-east'] });
    assert.match(missing ?? '', /^Data Residency: Not set \| {2}\| Nothing is sent: .*your administrator allows/);
  });

  it('show hidden characters, icons and links of a value as text', () => {
    const hostile = '\u202e$(check) [on](command:x)';
    for (const found of [
      rows(null, user({ [securityLevel.setting]: hostile })),
      rows(null, folder(hostile, { [audit.setting]: true })),
    ]) {
      assert.doesNotMatch(found.join(), /\u202e|\$\(check\)|\]\(command/);
    }
  });

  it('show the effect of a value before it is set', () => {
    const mine = user({});
    const effect = (
      field: (typeof complianceFields)[number],
      policy: object | null,
      value: unknown,
      ...others: readonly Layer[]
    ) =>
      Object.values(words.describeEffect(effectOf(field, sources(policy, mine, ...others), mine, value))).join(' | ');
    assert.equal(effect('securityLevel', null, 'high'), '');
    assert.equal(
      effect('securityLevel', { compliance: { securityLevel: 'maximum' } }, 'high'),
      'No effect: maximum applies, set by your administrator',
    );
    assert.equal(
      effect('audit', null, undefined, workspace({ [audit.setting]: true })),
      'No effect: On applies, set by workspace',
    );
    assert.equal(
      effect('dataResidency', { allowedRegions: ['eu-west'] }, 'us-east'),
      'Your administrator requires eu-west',
    );
    assert.equal(
      effect('dataResidency', { allowedRegions: ['eu-west', 'us-west'] }, 'us-east'),
      'Your administrator allows eu-west, us-west',
    );
    assert.match(
      effect('dataResidency', null, 'us-east', workspace({ [dataResidency.setting]: 'eu-west' })),
      /^Blocks every request \| .*"us-east" in user settings, "eu-west" in workspace settings/,
    );
  });
});
