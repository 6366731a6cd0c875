import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type SettingSpec, settingKeys, settings } from '../../../src/policy/settings.ts';

interface Contributed {
  readonly type: string | readonly string[];
  readonly default: unknown;
  readonly scope: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: { readonly enum?: readonly string[] };
}

interface Group {
  readonly id: string;
  readonly title: string;
  readonly properties: Readonly<Record<string, { readonly order: number }>>;
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const contributed: Record<string, Contributed> = Object.assign(
  {},
  ...manifest.contributes.configuration.map(({ properties }: { properties: object }) => properties),
);
const nls: Record<string, string> = JSON.parse(readFileSync('package.nls.json', 'utf8'));

describe('settings: the table and package.json are equal', () => {
  it('have the same keys', () => assert.deepEqual(Object.keys(contributed).sort(), [...settingKeys].sort()));

  for (const key of settingKeys) {
    it(key, () => {
      const spec: SettingSpec = settings[key];
      const found = contributed[key];
      assert.ok(found);
      const isList = spec.type === 'string[]' || spec.type === 'connections' || spec.type === 'windows';
      const jsonType = isList ? 'array' : spec.type === 'helper' ? 'object' : spec.type;
      const hasNull = spec.nullable && spec.emptyIsUnset === undefined;
      assert.deepEqual(found.type, hasNull ? [jsonType, 'null'] : jsonType);
      // The settings editor has a form for a value that can be null only if it is one of a list, or a number.
      if (hasNull && !/number|integer/.test(spec.type)) assert.ok(found.enum?.includes(null), key);
      assert.deepEqual(found.default, spec.default);
      assert.equal(found.scope, spec.scope);
      assert.equal(found.minimum, spec.minimum);
      assert.equal(found.maximum, spec.maximum);
      const values = spec.type === 'string[]' ? found.items?.enum : found.enum?.filter((value) => value !== null);
      assert.deepEqual(values, spec.type === 'boolean' && hasNull ? [true, false] : spec.values);
    });
  }

  it('are in groups with a title, in the order of the table', () => {
    const groups: readonly Group[] = manifest.contributes.configuration;
    for (const { id, title } of groups) assert.ok(nls[title.slice(1, -1)], id);
    const orders = groups.flatMap(({ properties }) => Object.values(properties).map(({ order }) => order));
    assert.deepEqual(
      orders,
      [...new Set(orders)].toSorted((a, b) => a - b),
    );
  });

  it('describe what they do, and the header they become', () => {
    for (const key of settingKeys) {
      const { wire }: SettingSpec = settings[key];
      const text = nls[`${key}.description`] ?? '';
      assert.ok(text.length > 20, key);
      if (wire !== undefined) assert.ok(text.includes(`\`${wire}\``), `${key}: ${wire}`);
      // The effect comes first.
      assert.doesNotMatch(text, /^(Becomes|Sent as)/, key);
    }
    const headers = settingKeys.filter((key) => key.startsWith('svc.compliance.'));
    assert.deepEqual(
      headers.filter((key) => !(settings[key] as SettingSpec).wire?.startsWith('Svc-')),
      [],
    );
  });

  it('are restricted in untrusted workspaces, for every key that a workspace can set', () => {
    const settable = settingKeys.filter((key) => settings[key].scope !== 'application');
    assert.deepEqual(
      [...manifest.capabilities.untrustedWorkspaces.restrictedConfigurations].sort(),
      [...settable].sort(),
    );
  });

  it('have every text that the manifest refers to, and no other', () => {
    const used = new Set([...JSON.stringify(manifest).matchAll(/"%([^%"]+)%"/g)].map(([, name]) => name));
    assert.deepEqual([...used].sort(), Object.keys(nls).sort());
  });
});
