import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { readNetwork } from '../../../src/host/config/networkSettings.ts';
import { readLayers, userValue } from '../../../src/host/config/settingsReader.ts';
import { areToolsEnabled } from '../../../src/host/config/toolsEnabled.ts';
import { openStageWithKey, type Stage, until } from './stage.ts';

interface Asked {
  readonly ok: boolean;
  readonly status?: string;
  readonly error?: { readonly kind: string; readonly code?: string };
}

const ask = (prompt: string): Thenable<Asked> => vscode.commands.executeCommand('svc.openChat', { prompt });
const results = process.env.SVC_TEST_RESULTS ?? assert.fail('SVC_TEST_RESULTS is not set');
const inspect = (key: string) => vscode.workspace.getConfiguration().inspect(key) as Readonly<Record<string, unknown>>;

describe('settings', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStageWithKey();
    await vscode.commands.executeCommand('svc.newChat');
    stage.service.clear();
  });
  afterEach(() => stage.close());

  describe('of the remote machine, which a devcontainer.json can write', () => {
    const file = join(dirname(results), 'data', 'Machine', 'settings.json');
    /** Writes the settings and waits until VS Code has read them. */
    const put = async (settings: Readonly<Record<string, unknown>>): Promise<void> => {
      mkdirSync(dirname(file), { recursive: true });
      const [key = '', value] = Object.entries(settings)[0] ?? [];
      writeFileSync(file, JSON.stringify(settings));
      await until(vscode.workspace.onDidChangeConfiguration, () => inspect(key).globalRemoteValue === value);
    };
    afterEach(async () => {
      writeFileSync(file, '{}');
      const left = (): unknown => inspect('svc.compliance').globalRemoteValue ?? inspect('svc.tools').globalRemoteValue;
      await until(vscode.workspace.onDidChangeConfiguration, () => left() === undefined);
      rmSync(file);
    });

    it('are distinguished by VS Code from those of the user', () => {
      const found = inspect('svc.compliance.audit');
      assert.ok('globalLocalValue' in found && 'globalRemoteValue' in found);
      assert.ok('globalLocalLanguageValue' in found && 'globalRemoteLanguageValue' in found);
    });

    it('tighten the user’s settings, and loosen none', async () => {
      await stage.set('svc.compliance.securityLevel', 'maximum');
      await put({ 'svc.compliance.securityLevel': 'standard', 'svc.compliance.audit': true });
      await ask('Hello');
      const { headers = {} } = stage.service.chats[0] ?? {};
      assert.deepEqual([headers['svc-security-level'], headers['svc-audit-enabled']], ['maximum', 'true']);
    });

    it('block if they are invalid, and are named as the source', async () => {
      await put({ 'svc.compliance.securityLevel': 'low' });
      assert.equal((await ask('Hello')).error?.kind, 'policy');
      const posture: { readonly problems: readonly string[] } = await vscode.commands.executeCommand('svc.showPosture');
      assert.match(posture.problems.join(), /"low" in remote machine settings/);
      assert.equal(stage.service.chats.length, 0);
    });

    it('switch nothing on, and set neither the address nor the network', async () => {
      await put({
        'svc.tools.enabled': true,
        'svc.tools.allowed': ['some_tool'],
        'svc.inlineCompletions.enabled': true,
        'svc.baseUrl': 'https://elsewhere.example/api/v1',
        'svc.network.caFile': '/own/ca.pem',
        'http.noProxy': ['127.0.0.1'],
      });
      assert.equal(areToolsEnabled({ requireFeature: () => undefined }), false);
      assert.equal(userValue('svc.tools.allowed'), undefined);
      const [user, remote] = readLayers([]);
      assert.equal(user?.values['svc.baseUrl'], stage.service.baseUrl);
      assert.deepEqual(
        [remote?.layer, remote?.values['svc.baseUrl'], remote?.values['svc.tools.enabled']],
        ['remote', undefined, true],
      );
      assert.equal(readNetwork().caFile, '');
      assert.deepEqual(readNetwork().noProxy, []);
    });

    it('switch off what the user has switched on', async () => {
      await stage.set('svc.tools.enabled', true);
      assert.equal(areToolsEnabled({ requireFeature: () => undefined }), true);
      await put({ 'svc.tools.enabled': false });
      assert.equal(areToolsEnabled({ requireFeature: () => undefined }), false);
    });
  });

  describe('in a file that VS Code does not read completely', () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no workspace');
    const file = join(folder, '.vscode', 'settings.json');
    const problems = async (): Promise<string> => {
      const posture: { readonly problems: readonly string[] } = await vscode.commands.executeCommand('svc.showPosture');
      return posture.problems.join();
    };
    beforeEach(() => mkdirSync(dirname(file), { recursive: true }));
    afterEach(() => rmSync(file, { recursive: true, force: true }));

    const audit = '"svc.compliance.audit": true';
    const broken: Readonly<Record<string, readonly [string, RegExp]>> = {
      'a value is missing': [
        `{\n  "svc.compliance.zeroRetention": ,\n  ${audit}\n}`,
        /settings\.json, line 2: it is not JSON/,
      ],
      'a setting is there twice': [
        `{\n  ${audit},\n  "svc.compliance.audit": false\n}`,
        /line 3: svc\.compliance\.audit/,
      ],
      'a merge conflict is left': [`{\n<<<<<<< HEAD\n  ${audit}\n=======\n>>>>>>> b\n}`, /line 2: a merge conflict/],
      'there is a list': [`[{ ${audit} }]`, /line 1: settings have to be an object/],
    };
    for (const [what, [text, words]] of Object.entries(broken)) {
      it(`sends nothing: ${what}`, async () => {
        writeFileSync(file, text);
        const { error } = await ask('Hello');
        assert.deepEqual([error?.kind, error?.code], ['policy', 'settings-file']);
        assert.match(await problems(), words);
        writeFileSync(file, '');
        assert.equal((await ask('Hello')).status, 'complete');
        assert.equal(await problems(), '');
        assert.equal(stage.service.chats.length, 1);
      });
    }

    it('sends nothing if the file exists and cannot be read', async () => {
      mkdirSync(file);
      assert.equal((await ask('Hello')).error?.code, 'settings-file');
      assert.match(await problems(), /cannot be read/);
      assert.equal(stage.service.chats.length, 0);
    });

    it('sends nothing if it is the user’s own file, or the remote machine’s', async () => {
      const data = join(dirname(results), 'data');
      for (const own of [join(data, 'User', 'settings.json'), join(data, 'Machine', 'settings.json')]) {
        mkdirSync(dirname(own), { recursive: true });
        const before = existsSync(own) ? readFileSync(own, 'utf8') : '{}';
        const isJson = before.replace(/\}\s*$/, ', "svc.compliance.audit": true, "svc.compliance.audit": false }');
        writeFileSync(own, isJson.replace('{,', '{'));
        try {
          assert.equal((await ask('Hello')).error?.code, 'settings-file', own);
        } finally {
          writeFileSync(own, before);
        }
      }
      assert.equal(stage.service.chats.length, 0);
      assert.equal((await ask('Hello')).status, 'complete');
    });

    it('reports the error before any request, and no longer once it is fixed', async () => {
      writeFileSync(file, '{ "svc.compliance.audit": }');
      await vscode.commands.executeCommand('svc.newChat');
      await waitFor(problems, (text) => text.includes('settings.json'));
      writeFileSync(file, '{}');
      await waitFor(problems, (text) => text === '');
    });
  });
});

/** Repeats until the answer is as expected; the test's own time limit ends it. */
async function waitFor(read: () => Promise<string>, holds: (text: string) => boolean): Promise<void> {
  while (!holds(await read())) await new Promise((resolve) => setImmediate(resolve));
}
