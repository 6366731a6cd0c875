import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { key, openStage, removeKey, type Stage, storeKey } from './stage.ts';

const run = <T = unknown>(command: string, ...args: unknown[]): Thenable<T> =>
  vscode.commands.executeCommand<T>(command, ...args);

describe('connect', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage();
  });
  afterEach(() => stage.close());

  it('every command of the manifest is there', async () => {
    const manifest = vscode.extensions.getExtension('svc.svc-coder')?.packageJSON;
    const contributed: string[] = manifest.contributes.commands.map(({ command }: { command: string }) => command);
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.ok(contributed.length > 10);
    assert.deepEqual(
      contributed.filter((command) => !registered.has(command)),
      [],
    );
  });

  it('nothing is sent before a person asks', () => {
    assert.deepEqual(stage.service.received, []);
  });

  it('4.1 the health of the service is checked', async () => {
    const result = await run<{ ok: boolean; status: number }>('svc.checkHealth');
    assert.equal(result.ok, true);
    assert.equal(result.status, 200);
    assert.equal(stage.service.received[0]?.path, '/api/v1/health');
  });

  it('4.2, 5 a key is validated before it is stored, and then sent as a bearer', async () => {
    assert.deepEqual(await storeKey(), { ok: true, validated: true });
    assert.deepEqual(await run('svc.validateToken'), { ok: true });
    const [first] = stage.service.received;
    assert.equal(first?.path, '/api/v1/auth/token');
    assert.equal(first?.headers.authorization, `Bearer ${key}`);
  });

  it('5 a wrong key is refused, and the old one stays', async () => {
    await storeKey();
    const refused = (await storeKey('svc_ent_wrong')) as { ok: boolean; error: { kind: string } };
    assert.equal(refused.ok, false);
    assert.equal(refused.error.kind, 'auth');
    assert.deepEqual(await run('svc.validateToken'), { ok: true });
  });

  it('a key with characters that no header takes is refused without a request', async () => {
    const refused = (await storeKey('svc_ent_\u200bhidden')) as { ok: boolean };
    assert.equal(refused.ok, false);
    assert.deepEqual(stage.service.received, []);
  });

  it('a key belongs to its origin: another address never gets it', async () => {
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

  it('a removed key is gone', async () => {
    await storeKey();
    assert.deepEqual(await removeKey(), { ok: true });
    const result = await run<{ ok: boolean; error: { code: string } }>('svc.validateToken');
    assert.equal(result.error.code, 'no-key');
  });

  it('an address that a workspace names is not even looked at', async () => {
    await assert.rejects(async () =>
      vscode.workspace
        .getConfiguration()
        .update('svc.baseUrl', 'https://evil.example/api/v1', vscode.ConfigurationTarget.Workspace),
    );
  });
});
