import assert from 'node:assert/strict';
import type { ApiKeyStore } from '../../../../src/platform/keys/apiKeyStore.ts';
import type { HelperKeys } from '../../../../src/platform/keys/helper/helperKeys.ts';
import type { KeySources } from '../../../../src/platform/keys/keySources.ts';
import type { Connection } from '../../../../src/policy/connection.ts';
import type { ManagedState } from '../../../../src/policy/managed/managedPolicy.ts';
import type { KeyHelper } from '../../../../src/policy/managed/managedRules.ts';
import { hostModule } from '../../../tools/hostModule.ts';
import { inForceFrom } from '../../../tools/managedPolicy.ts';
import { connection } from './helperStage.ts';

const variable = 'SVC_TEST_KEY_STORE';

describe('the store of keys', () => {
  let managed: ManagedState = { state: 'none' };
  let loads = 0;
  /** The programs of the runs, and what happens during one. */
  let runs: string[] = [];
  let during: () => void = () => undefined;
  let store: ApiKeyStore;

  const helpers = {
    get: async ({ helper }: KeyHelper, { origin }: Connection) => {
      runs.push(helper.command[0]);
      during();
      return `key of ${helper.command[0]} for ${origin}`;
    },
    renew: async ({ helper }: KeyHelper) => {
      during();
      return `next key of ${helper.command[0]}`;
    },
    isReady: () => true,
    subjectOf: ({ helper }: KeyHelper, { baseUrl }: Connection, key?: string) =>
      `${helper.command[0]} ${baseUrl} ${key}`,
    all: ['in memory'],
    dispose() {},
  } as unknown as HelperKeys;

  beforeEach(async () => {
    const { ApiKeyStore: Store } = await hostModule<{ ApiKeyStore: typeof ApiKeyStore }>(
      'src/platform/keys/apiKeyStore.ts',
      'en',
    );
    const { KeySources: Sources } = await hostModule<{ KeySources: typeof KeySources }>(
      'src/platform/keys/keySources.ts',
      'en',
    );
    managed = { state: 'none' };
    loads = 0;
    runs = [];
    during = () => undefined;
    const secrets = { get: async () => 'stored', onDidChange: () => ({ dispose() {} }) };
    const state = { get: (_name: string, fallback: unknown) => fallback };
    const load = async () => {
      loads += 1;
      return helpers;
    };
    const sources = new Sources(secrets as never, state as never, () => managed);
    store = new Store(secrets as never, sources, () => managed, load);
  });
  afterEach(() => {
    delete process.env[variable];
  });

  const ofUser = { ...connection, helper: { command: ['/home/me/login'] as [string] } };
  const policy = (command: string) => inForceFrom({ credentials: { command: [command] } });

  it('loads nothing for helpers while none is needed', async () => {
    assert.equal(store.sources.has(ofUser), true);
    assert.equal(store.isReady(ofUser), false);
    assert.equal(store.isReady(connection), true);
    assert.equal(await store.get(connection), 'stored');
    assert.deepEqual(await store.all(), []);
    assert.equal(await store.renew(connection, 'stored', new AbortController().signal), null);
    assert.equal(loads, 0);
  });

  it('has one source for a key: the policy decides, otherwise the user', async () => {
    const origin = connection.origin;
    assert.equal(store.sources.of(connection).is, 'stored');
    assert.equal(store.sources.of(ofUser).is, 'helper');
    managed = inForceFrom({ credentials: { environment: variable, origin } });
    assert.equal(store.sources.of(connection).is, 'stored');
    assert.equal(store.sources.of(ofUser).is, 'helper');
    process.env[variable] = 'of_the_environment';
    assert.equal(store.sources.of(ofUser).is, 'environment');
    assert.equal(await store.get(ofUser), 'of_the_environment');
    managed = policy('/opt/login');
    assert.equal(await store.get(ofUser), `key of /opt/login for ${origin}`);
    assert.deepEqual(runs, ['/opt/login']);
    assert.deepEqual(await store.all(), ['in memory']);
  });

  it('never returns the key of a helper that the policy has replaced in the meantime', async () => {
    managed = policy('/opt/one');
    during = () => {
      managed = policy('/opt/two');
    };
    assert.equal(await store.get(connection), 'key of /opt/two for https://svc.example.com');
    assert.deepEqual(runs, ['/opt/one', '/opt/two']);
    managed = policy('/opt/one');
    assert.equal(await store.renew(connection, 'refused', new AbortController().signal), null);
    managed = policy('/opt/one');
    during = () => {
      managed = { state: 'none' };
    };
    assert.equal(await store.get(connection), 'stored');
  });

  it('names a user for the audit log only by the helper of the policy, never by one that the user chose', async () => {
    await store.get(ofUser);
    assert.equal(store.subjectOf(ofUser), `/home/me/login ${connection.baseUrl} undefined`);
    assert.equal(store.identityOf(ofUser), undefined);
    assert.equal(store.identityOf(ofUser, 'key'), undefined);
    managed = policy('/opt/login');
    assert.equal(store.identityOf(ofUser, 'key'), `/opt/login ${connection.baseUrl} key`);
    // For another origin, the user's own helper applies.
    managed = inForceFrom({ credentials: { command: ['/opt/login'], origin: 'https://other.example.com' } });
    assert.equal(store.identityOf(ofUser), undefined);
  });

  it('tells helpers apart by what the policy says, for changes during a wait', () => {
    assert.equal(store.helperId(connection), null);
    const ids = [ofUser, { ...ofUser, helper: { command: ['/home/me/login', '-v'] as [string, string] } }].map((one) =>
      store.helperId(one),
    );
    managed = policy('/home/me/login');
    assert.equal(new Set([...ids, store.helperId(ofUser)]).size, 3);
  });
});
