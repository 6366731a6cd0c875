import assert from 'node:assert/strict';
import { resolvePolicy } from '../../../src/policy/compliance/resolve.ts';
import { lineOfKey, settingsWithKey } from '../../../src/policy/files/keyInSettings.ts';
import { resolveSetting } from '../../../src/policy/resolveSetting.ts';
import type { SettingKey } from '../../../src/policy/settings.ts';
import { processorMs } from '../../tools/processorTime.ts';
import { workspace } from './layers.ts';

const key = 'svc_ent_0123456789abcdef';

describe('a key in the settings', () => {
  it('is found in any value of our settings, and under any name that suggests a key', () => {
    const cases: readonly [unknown, readonly string[]][] = [
      [{ apiKey: key }, ['svc.apiKey']],
      [{ apiKey: 'another-kind-of-key' }, ['svc.apiKey']],
      [{ auth: { token: 'x' } }, ['svc.auth.token']],
      [{ baseUrl: `https://svc.example/${key}/api/v1` }, ['svc.baseUrl']],
      [{ connections: [{ name: 'a', baseUrl: 'https://svc.example/api/v1', key }] }, ['svc.connections']],
      [{ model: { chat: key } }, ['svc.model.chat']],
      [{ [key]: true }, ['svc.svc_ent_…']],
      [{ apiKey: '', model: { chat: 'svc/auto' }, request: { maxTokens: 5 } }, []],
      [{ network: { clientKey: '/home/me/client.key' } }, []],
      [undefined, []],
      [null, []],
    ];
    for (const [tree, found] of cases) assert.deepEqual(settingsWithKey(tree), found, JSON.stringify(tree));
  });

  it('is searched in little time, whatever the names are', () => {
    for (const name of ['token', 'svc_ent_', 'api-key', 'secret.']) {
      const long = name.repeat(Math.ceil(160_000 / name.length));
      for (const tree of [{ [`${long}.`]: 'x' }, { [long]: { [long]: 'x' } }, { a: long }]) {
        const from = processorMs();
        settingsWithKey(tree);
        const ms = processorMs() - from;
        assert.ok(ms < 300, `${ms} ms for ${name}`);
      }
    }
  });

  it('is reported with its line in the file', () => {
    assert.equal(lineOfKey(`{\r\n  "a": 1,\r\n  "svc.apiKey": "${key}"\r\n}`), 3);
    assert.equal(lineOfKey('{ "svc.apiKey": "" }'), null);
  });

  it('is never used or shown: a value that contains one blocks', () => {
    const values: readonly (readonly [SettingKey, unknown])[] = [
      ['svc.model.chat', key],
      ['svc.baseUrl', `https://svc.example/${key}/api/v1`],
      ['svc.connections', [{ name: key, baseUrl: 'https://svc.example/api/v1' }]],
      ['svc.connection', key],
    ];
    for (const [setting, value] of values) {
      const resolved = resolveSetting([workspace({ [setting]: value })], setting);
      assert.ok(!resolved.ok, setting);
      assert.ok(!JSON.stringify(resolved.problem).includes(key), setting);
    }
    const policy = resolvePolicy([workspace({ 'svc.compliance.securityLevel': key })]);
    assert.ok(!policy.ok && !JSON.stringify(policy.problems).includes(key));
  });
});
