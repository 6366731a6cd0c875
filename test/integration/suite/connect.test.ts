import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { entering, pressingEnter } from './dialogs.ts';
import { key, openStage, removeKey, type Stage, storeKey } from './stage.ts';

const run = <T = unknown>(command: string, ...args: unknown[]): Thenable<T> =>
  vscode.commands.executeCommand<T>(command, ...args);

describe('connect', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage();
  });
  afterEach(() => stage.close());

  it('registers every command of the manifest', async () => {
    const manifest = vscode.extensions.getExtension('svc.svc-coder')?.packageJSON;
    const contributed: string[] = manifest.contributes.commands.map(({ command }: { command: string }) => command);
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.ok(contributed.length > 10);
    assert.deepEqual(
      contributed.filter((command) => !registered.has(command)),
      [],
    );
  });

  it('sends nothing before the user asks', () => {
    assert.deepEqual(stage.service.received, []);
  });

  it('4.1 checks the health of the service', async () => {
    const result = await run<{ ok: boolean; status: number }>('svc.checkHealth');
    assert.equal(result.ok, true);
    assert.equal(result.status, 200);
    assert.equal(stage.service.received[0]?.path, '/api/v1/health');
  });

  it('4.2, 5 validates a key before storing it, then sends it as a bearer token', async () => {
    assert.deepEqual(await storeKey(), { ok: true, validated: true });
    assert.deepEqual(await run('svc.validateToken'), { ok: true });
    const [first] = stage.service.received;
    assert.equal(first?.path, '/api/v1/auth/token');
    assert.equal(first?.headers.authorization, `Bearer ${key}`);
  });

  it('5 rejects a wrong key, and keeps the old one', async () => {
    await storeKey();
    const refused = (await storeKey('svc_ent_wrong')) as { ok: boolean; error: { kind: string } };
    assert.equal(refused.ok, false);
    assert.equal(refused.error.kind, 'auth');
    assert.deepEqual(await run('svc.validateToken'), { ok: true });
  });

  it('rejects a key with characters that headers do not allow, without a request', async () => {
    const refused = (await storeKey('svc_ent_\u200bhidden')) as { ok: boolean };
    assert.equal(refused.ok, false);
    assert.deepEqual(stage.service.received, []);
  });

  it('binds a key to its origin: another address never gets it', async () => {
    await storeKey();
    const other = await openStage();
    try {
      await stage.set('svc.baseUrl', other.service.baseUrl);
      const result = await run<{ ok: boolean; error: { code: string } }>('svc.validateToken');
      assert.equal(result.error.code, 'no-key');
      await run('svc.checkHealth');
      assert.deepEqual(
        other.service.received.map(({ headers }) => headers.authorization),
        [undefined],
      );
    } finally {
      await other.close();
    }
  });

  it('deletes a removed key', async () => {
    await storeKey();
    assert.deepEqual(await removeKey(), { ok: true });
    const result = await run<{ ok: boolean; error: { code: string } }>('svc.validateToken');
    assert.equal(result.error.code, 'no-key');
  });

  describe('with an administrator who provides the address and the key', () => {
    const file = process.env.SVC_TEST_POLICY_FILE ?? assert.fail('SVC_TEST_POLICY_FILE is not set');
    const variable = 'SVC_TEST_FLEET_KEY';

    const put = async (policy: object): Promise<void> => {
      writeFileSync(file, JSON.stringify({ version: 1, ...policy }));
      assert.equal((await run<{ state: string }>('svc.showPolicy')).state, 'in-force');
    };
    const provide = (origin = new URL(stage.service.baseUrl).origin): Promise<void> =>
      put({ allowedOrigins: [origin], credentials: { environment: variable, origin } });
    const ask = () =>
      run<{ status?: string; error?: { code: string } }>('svc.openChat', { prompt: 'Hello from the fleet' });
    const sent = () => stage.service.received.map(({ headers }) => headers.authorization ?? '');

    beforeEach(() => removeKey());
    afterEach(async () => {
      delete process.env[variable];
      rmSync(file, { force: true });
      await run('svc.showPolicy');
    });

    it('asks with the key of the variable, without a dialog, and stores it nowhere', async () => {
      process.env[variable] = `  ${key}\n`;
      await provide();
      await entering(
        'never',
        () => assert.fail('the user was asked'),
        async () => {
          assert.equal((await ask()).status, 'complete');
          assert.deepEqual(await run('svc.setApiKey'), { ok: true, validated: true });
        },
      );
      assert.ok(sent().length >= 2 && sent().every((header) => header === `Bearer ${key}`), sent().join());
      delete process.env[variable];
      assert.equal((await ask()).error?.code, 'no-key');
      const { folder } = await run<{ folder: string }>('svc.auditLog.verify');
      const log = readdirSync(folder).map((name) => readFileSync(`${folder}/${name}`, 'latin1'));
      assert.ok(existsSync(folder) && !log.join('').includes(key));
    });

    it('never sends the key to another origin', async () => {
      process.env[variable] = key;
      await provide();
      const other = await openStage();
      try {
        await put({ credentials: { environment: variable, origin: new URL(stage.service.baseUrl).origin } });
        await stage.set('svc.baseUrl', other.service.baseUrl);
        assert.equal((await ask()).error?.code, 'no-key');
        await run('svc.checkHealth');
        assert.deepEqual(
          other.service.received.filter(({ headers }) => headers.authorization !== undefined),
          [],
        );
      } finally {
        await other.close();
      }
    });

    it('uses the key of the variable before a stored one, and the stored one if the variable has none', async () => {
      await storeKey();
      process.env[variable] = 'svc_ent_unknown';
      await provide();
      assert.equal((await run<{ error?: { kind: string } }>('svc.validateToken')).error?.kind, 'auth');
      assert.equal(sent().at(-1), 'Bearer svc_ent_unknown');
      process.env[variable] = 'no key: ü';
      assert.deepEqual(await run('svc.validateToken'), { ok: true });
    });

    it('offers the only allowed origin as the address: Enter is enough', async () => {
      process.env[variable] = key;
      const { origin } = new URL(stage.service.baseUrl);
      await provide();
      await stage.set('svc.baseUrl', undefined);
      const opened = await pressingEnter(async () => {
        assert.deepEqual(await run('svc.setApiKey'), { ok: true, validated: true });
      });
      assert.deepEqual(
        opened.map(({ value }) => value),
        [origin],
      );
      assert.match(opened[0]?.prompt ?? '', /^Your administrator allows only this address/);
      const { globalValue } = vscode.workspace.getConfiguration().inspect<string>('svc.baseUrl') ?? {};
      assert.equal(globalValue, `${origin}/api/v1`);
    });
  });

  it('never reads an address that a workspace sets', async () => {
    await assert.rejects(async () =>
      vscode.workspace
        .getConfiguration()
        .update('svc.baseUrl', 'https://evil.example/api/v1', vscode.ConfigurationTarget.Workspace),
    );
  });
});
