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

  it('never reads an address that a workspace sets', async () => {
    await assert.rejects(async () =>
      vscode.workspace
        .getConfiguration()
        .update('svc.baseUrl', 'https://evil.example/api/v1', vscode.ConfigurationTarget.Workspace),
    );
  });
});
