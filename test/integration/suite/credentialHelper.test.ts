import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { answering, entering } from './dialogs.ts';
import { key, nextKey, openStage, removeKey, type Stage, storeKey } from './stage.ts';

interface Result {
  readonly ok?: boolean;
  readonly status?: string;
  readonly error?: { readonly kind: string; readonly code?: string };
}

const run = <T = Result>(command: string, ...args: unknown[]): Thenable<T> =>
  vscode.commands.executeCommand<T>(command, ...args);
const ask = () => run('svc.openChat', { prompt: 'Hello from the helper' });

describe('a credential helper', () => {
  const policyFile = process.env.SVC_TEST_POLICY_FILE ?? assert.fail('SVC_TEST_POLICY_FILE is not set');
  let stage: Stage;
  let folder = '';

  beforeEach(async () => {
    stage = await openStage();
    folder = mkdtempSync(join(tmpdir(), 'svc-helper-'));
    await run('svc.newChat');
    stage.service.clear();
  });
  afterEach(async () => {
    rmSync(policyFile, { force: true });
    await run('svc.showPolicy');
    await stage.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Writes a helper that prints a text and notes each run with its environment. */
  const helper = (output: string, name = 'helper.sh'): string => {
    const path = join(folder, name);
    writeFileSync(
      path,
      `#!/bin/sh\nenv > '${folder}/env'\necho run >> '${folder}/runs'\ncat <<'END'\n${output}\nEND\n`,
    );
    chmodSync(path, 0o755);
    return path;
  };
  const prints = (value: string, more: object = {}): string => helper(JSON.stringify({ key: value, ...more }));
  const runs = (): number =>
    existsSync(join(folder, 'runs')) ? readFileSync(join(folder, 'runs'), 'utf8').length / 4 : 0;
  const sent = () => stage.service.received.map(({ headers }) => headers.authorization ?? '');
  const put = async (credentials: object): Promise<void> => {
    writeFileSync(policyFile, JSON.stringify({ version: 1, credentials }));
    assert.equal((await run<{ state: string }>('svc.showPolicy')).state, 'in-force');
  };

  it('runs once for many requests if the user names it, and its key is stored nowhere', async () => {
    await stage.set('svc.credentialHelper', { command: [prints(key, { expiresAt: '2999-01-01T00:00:00Z' })] });
    assert.equal(runs(), 0, 'nothing runs before the user asks');
    await entering(
      'never',
      () => assert.fail('the user was asked'),
      async () => {
        assert.equal((await ask()).status, 'complete');
        assert.deepEqual(await run('svc.validateToken'), { ok: true });
        assert.deepEqual(await run('svc.setApiKey'), { ok: true, validated: true });
        assert.equal((await run('svc.checkHealth')).ok, true);
      },
    );
    assert.ok(sent().length >= 4 && sent().every((header) => header === `Bearer ${key}`), sent().join());
    assert.equal(runs(), 1);
    const env = readFileSync(join(folder, 'env'), 'utf8');
    assert.match(env, new RegExp(`^SVC_BASE_URL=${stage.service.baseUrl}$`, 'm'));
    assert.doesNotMatch(env, /^(VSCODE_|ELECTRON_|SVC_API_KEY)/m);
    const { folder: logs } = await run<{ folder: string }>('svc.auditLog.verify');
    const texts = readdirSync(logs).map((name) => readFileSync(join(logs, name), 'latin1'));
    assert.ok(!texts.join('').includes(key));
    // The helper was the only source.
    await stage.set('svc.credentialHelper', undefined);
    assert.equal((await ask()).error?.code, 'no-key');
  });

  it('has no key that could be deleted: the confirmation counts what is stored', async () => {
    await stage.set('svc.credentialHelper', { command: [prints(key)] });
    assert.deepEqual(await run('svc.validateToken'), { ok: true });
    const [{ detail = '' } = {}] = await answering(undefined, () =>
      run('svc.purgeLocalData', { audit: true, keys: true }),
    );
    assert.match(detail, /\nAPI keys: 0\n/);
  });

  it('is used instead of a stored key, and the policy’s instead of the user’s', async () => {
    await storeKey(key);
    await stage.set('svc.credentialHelper', { command: [helper(JSON.stringify({ key: nextKey }), 'of-user.sh')] });
    assert.deepEqual(await run('svc.validateToken'), { ok: true });
    assert.equal(sent().at(-1), `Bearer ${nextKey}`);
    await put({ command: [prints('svc_ent_of_the_policy')], timeoutSeconds: 20 });
    assert.equal((await run('svc.validateToken')).error?.kind, 'auth');
    assert.equal(sent().at(-1), 'Bearer svc_ent_of_the_policy');
    await put({ command: [prints('svc_ent_of_the_policy')], origin: 'https://svc.example.com' });
    assert.deepEqual(await run('svc.validateToken'), { ok: true });
    assert.equal(sent().at(-1), `Bearer ${nextKey}`);
    await removeKey();
  });

  it('runs again if the service refuses its key', async () => {
    await stage.set('svc.credentialHelper', { command: [prints(key)] });
    assert.equal((await ask()).status, 'complete');
    const path = helper('', 'next.sh');
    writeFileSync(
      path,
      `#!/bin/sh\nif [ -e '${folder}/second' ]; then echo '{"key":"${key}"}'; else touch '${folder}/second'; echo '{"key":"svc_ent_expired"}'; fi\n`,
    );
    await stage.set('svc.credentialHelper', { command: [path] });
    stage.service.clear();
    assert.equal((await ask()).status, 'complete');
    assert.deepEqual(sent(), ['Bearer svc_ent_expired', `Bearer ${key}`]);
    rmSync(join(folder, 'second'));
    await stage.set('svc.credentialHelper', { command: [path, '--again'] });
    assert.deepEqual(await run('svc.validateToken'), { ok: true });
    assert.deepEqual(sent().slice(2), ['Bearer svc_ent_expired', `Bearer ${key}`]);
  });

  it('blocks every request if it fails, also with a stored key, and names the reason', async () => {
    await storeKey(key);
    stage.service.clear();
    await stage.set('svc.credentialHelper', { command: [helper('rubbish')] });
    for (const command of ['svc.validateToken', 'svc.checkHealth', 'svc.diagnoseConnection']) {
      assert.equal((await run(command)).error?.code, 'helper', command);
    }
    assert.equal((await ask()).error?.code, 'helper');
    assert.deepEqual(stage.service.received, []);
    await removeKey();
  });

  it('with an invalid setting blocks every request', async () => {
    await stage.set('svc.credentialHelper', { command: 'helper.sh' });
    assert.equal((await ask()).error?.code, 'settings');
    assert.deepEqual(stage.service.received, []);
  });

  it('names the user in the records of the audit log if the policy asks for it', async () => {
    const subject = 'anna of the helper';
    const command = [prints(key, { subject })];
    writeFileSync(policyFile, JSON.stringify({ version: 1, identity: 'subject', credentials: { command } }));
    assert.equal((await run<{ state: string }>('svc.showPolicy')).state, 'in-force');
    assert.equal((await ask()).status, 'complete');
    const { folder: logs } = await run<{ folder: string }>('svc.auditLog.verify');
    const texts = readdirSync(logs).map((name) => readFileSync(join(logs, name), 'latin1'));
    const records = texts
      .join('\n')
      .split('\n')
      .filter((line) => line.includes(subject));
    assert.ok(records.some((line) => line.includes('"request-intent"')));
    assert.ok(!texts.join('').includes(key));
  });

  it('is never one that a workspace names', async () => {
    const { workspaceFolders = [] } = vscode.workspace;
    const uri = vscode.Uri.joinPath(
      workspaceFolders[0]?.uri ?? assert.fail('no workspace'),
      '.vscode',
      'settings.json',
    );
    const before = await Promise.resolve(vscode.workspace.fs.readFile(uri)).catch(() => undefined);
    const settings = { 'svc.credentialHelper': { command: [prints(key)] } };
    await vscode.workspace.fs.writeFile(uri, Buffer.from(JSON.stringify(settings)));
    try {
      await assert.rejects(async () =>
        vscode.workspace
          .getConfiguration()
          .update('svc.credentialHelper', settings['svc.credentialHelper'], vscode.ConfigurationTarget.Workspace),
      );
      assert.equal((await ask()).error?.code, 'no-key');
      assert.equal(runs(), 0);
      assert.deepEqual(stage.service.received, []);
    } finally {
      if (before === undefined) await vscode.workspace.fs.delete(uri);
      else await vscode.workspace.fs.writeFile(uri, before);
    }
  });
});
