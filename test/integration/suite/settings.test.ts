import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { readNetwork } from '../../../src/platform/network/networkSettings.ts';
import { SettingsFiles } from '../../../src/platform/settings/settingsFiles.ts';
import { allFolders, readLayers, setSettings, userValue } from '../../../src/platform/settings/settingsReader.ts';
import { areToolsEnabled } from '../../../src/platform/settings/toolsEnabled.ts';
import { readSettingsText } from '../../../src/policy/files/settingsText.ts';
import { userLayersOf } from '../../../src/policy/files/userLayers.ts';
import type { Layer } from '../../../src/policy/requestPolicy.ts';
import { type SettingKey, settingKeys, settings } from '../../../src/policy/settings.ts';
import { errorsShown } from './dialogs.ts';
import { openStageWithKey, type Stage, until } from './stage.ts';

interface Asked {
  readonly ok: boolean;
  readonly status?: string;
  readonly error?: { readonly kind: string; readonly code?: string };
}

const ask = (prompt: string): Thenable<Asked> => vscode.commands.executeCommand('svc.openChat', { prompt });
interface Changed {
  readonly ok: boolean;
  readonly posture?: {
    readonly headers: readonly Readonly<Record<'name' | 'value' | 'source' | 'overruled', string>>[];
  };
  readonly error?: { readonly kind: string; readonly code?: string };
}

const change = (given: object): Thenable<Changed> =>
  vscode.commands.executeCommand('svc.changeComplianceSetting', given);
const results = process.env.SVC_TEST_RESULTS ?? assert.fail('SVC_TEST_RESULTS is not set');
const inspect = (key: string) => vscode.workspace.getConfiguration().inspect(key) as Readonly<Record<string, unknown>>;

/** What readLayers() returns, read with one inspect() for each setting. */
function layersOneByOne(): readonly Layer[] {
  const found = settingKeys.map((key) => [key, inspect(key)] as const);
  const isRemote = vscode.env.remoteName !== undefined;
  const of = (layer: Layer['layer'], pick: (key: SettingKey, one: ReturnType<typeof inspect>) => unknown): Layer => ({
    layer,
    values: Object.fromEntries(found.map(([key, one]) => [key, pick(key, one)])),
  });
  const others = (key: SettingKey, value: unknown) => (settings[key].scope === 'application' ? undefined : value);
  return [
    of('user', (_, one) => userLayersOf(one, isRemote).local),
    of('remote', (key, one) => others(key, userLayersOf(one, isRemote).remote)),
    of('workspace', (key, one) => others(key, one.workspaceValue)),
  ];
}

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
    const put = async (values: Readonly<Record<string, unknown>>): Promise<void> => {
      mkdirSync(dirname(file), { recursive: true });
      const [key = '', value] = Object.entries(values)[0] ?? [];
      writeFileSync(file, JSON.stringify(values));
      await until(vscode.workspace.onDidChangeConfiguration, () => inspect(key).globalRemoteValue === value);
    };
    afterEach(async () => {
      writeFileSync(file, '{}');
      const left = (): unknown => inspect('svc').globalRemoteValue;
      await until(vscode.workspace.onDidChangeConfiguration, () => left() === undefined);
      rmSync(file);
    });

    it('are distinguished by VS Code from those of the user', () => {
      const found = inspect('svc.compliance.audit');
      assert.ok('globalLocalValue' in found && 'globalRemoteValue' in found);
      assert.ok('globalLocalLanguageValue' in found && 'globalRemoteLanguageValue' in found);
    });

    it('are read like one inspect() for each setting, whatever the layers set', async () => {
      const configuration = vscode.workspace.getConfiguration('svc');
      const { Global, Workspace } = vscode.ConfigurationTarget;
      const places = allFolders();
      assert.deepEqual(readLayers(places), layersOneByOne());
      try {
        await put({ 'svc.model.chat': 'svc/remote', 'svc.tools.disabled': ['read_file'] });
        for (const [key, value, target] of [
          ['model.chat', 'svc/user', Global],
          // Values equal to the defaults, in layers that others override.
          ['request.stream', true, Global],
          ['request.stream', false, Workspace],
          ['compliance.frameworks', ['gdpr', 'nonsense'], Workspace],
          ['network.caFile', '/of/the/workspace', Workspace],
          ['context.windows', ['svc/*=4096'], Global],
        ] as const) {
          // VS Code refuses to write a setting of the application for a workspace.
          await configuration.update(key, value, target).then(undefined, () => undefined);
          assert.deepEqual(readLayers(places), layersOneByOne(), key);
        }
        const profiles = vscode.workspace.getConfiguration('workbench.settings');
        await profiles.update('applyToAllProfiles', ['svc.model.chat', 'svc.context.windows'], Global);
        assert.deepEqual(readLayers(places), layersOneByOne(), 'values for all profiles');
        await profiles.update('applyToAllProfiles', undefined, Global);
      } finally {
        for (const key of ['model.chat', 'request.stream', 'compliance.frameworks', 'context.windows'])
          for (const target of [Global, Workspace]) await configuration.update(key, undefined, target);
      }
    });

    it('are found if VS Code hides them behind the user’s other settings, as those for all profiles', () => {
      const hidden = { audit: true, zeroRetention: false };
      const defaults = { compliance: { audit: null, zeroRetention: false } };
      const model = { chat: 'svc/user' };
      const inspected = (key: string) =>
        key === 'svc'
          ? { key, defaultValue: defaults, globalLocalValue: { model } }
          : { key, globalValue: key === 'svc.compliance.audit' ? true : undefined };
      const configuration = { inspect: inspected } as unknown as vscode.WorkspaceConfiguration;
      const found = setSettings(configuration, { compliance: hidden, model });
      assert.deepEqual([...found.keys()], ['svc.model.chat', 'svc.compliance.audit']);
      assert.equal(found.get('svc.compliance.audit')?.globalValue, true);
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

    it('are the ones that change where the machine has set the value, as VS Code writes it there', async () => {
      await put({ 'svc.compliance.securityLevel': 'standard' });
      const changed = await change({ setting: 'svc.compliance.securityLevel', value: 'high', scope: 'user' });
      assert.match(changed.posture?.headers[0]?.source ?? '', /^remote machine$/);
      assert.equal(inspect('svc.compliance.securityLevel').globalRemoteValue, 'high');
      assert.equal(inspect('svc.compliance.securityLevel').globalLocalValue, undefined);
    });

    it('switch off what the user has switched on', async () => {
      await stage.set('svc.tools.enabled', true);
      assert.equal(areToolsEnabled({ requireFeature: () => undefined }), true);
      await put({ 'svc.tools.enabled': false });
      assert.equal(areToolsEnabled({ requireFeature: () => undefined }), false);
    });
  });

  describe('changed by svc.changeComplianceSetting', () => {
    const targets = {
      user: [vscode.ConfigurationTarget.Global, 'globalValue'],
      workspace: [vscode.ConfigurationTarget.Workspace, 'workspaceValue'],
    } as const;
    const values = {
      'svc.compliance.securityLevel': ['high', 'Svc-Security-Level', 'high'],
      'svc.compliance.dataResidency': ['asia-pacific', 'Svc-Data-Residency', 'asia-pacific'],
      'svc.compliance.audit': [true, 'Svc-Audit-Enabled', 'true'],
      'svc.compliance.zeroRetention': [false, 'Svc-Zero-Retention', 'false'],
      'svc.compliance.frameworks': [['sox', 'gdpr'], 'Svc-Compliance-Frameworks', 'sox,gdpr'],
    } as const;
    for (const [scope, [target, layer]] of Object.entries(targets)) {
      for (const [setting, [value, name, sent]] of Object.entries(values)) {
        it(`${setting} of the ${scope}: sets it, sends it, and removes it`, async () => {
          // The stage removes it at the end, whatever happens.
          await stage.set(setting, undefined, target);
          const changed = await change({ setting, value, scope });
          assert.ok(changed.ok);
          assert.deepEqual(
            changed.posture?.headers.map((header) => [header.name, header.value, header.source]),
            [[name, sent, scope]],
          );
          assert.deepEqual(inspect(setting)[layer], value);
          await ask('Hello');
          assert.equal(stage.service.chats[0]?.headers[name.toLowerCase()], sent);
          assert.deepEqual((await change({ setting, value: null, scope })).posture?.headers, []);
          assert.equal(inspect(setting)[layer], undefined);
        });
      }
    }

    it('shows that a stricter scope wins, and replaces an invalid value', async () => {
      const setting = 'svc.compliance.securityLevel';
      await stage.set(setting, 'low');
      await stage.set(setting, 'maximum', vscode.ConfigurationTarget.Workspace);
      const changed = await change({ setting, value: 'standard', scope: 'user' });
      const [header] = changed.posture?.headers ?? [];
      assert.deepEqual(
        [header?.value, header?.source, header?.overruled],
        ['maximum', 'workspace', 'user set standard'],
      );
    });

    it('says why VS Code does not write it: the settings file has unsaved changes', async () => {
      const setting = 'svc.compliance.audit';
      await stage.set(setting, false, vscode.ConfigurationTarget.Workspace);
      const [folder] = vscode.workspace.workspaceFolders ?? [];
      const uri = vscode.Uri.joinPath(folder?.uri ?? assert.fail(), '.vscode', 'settings.json');
      // Only the editor holds the document: VS Code would compare later writes with one that an extension has opened.
      await vscode.commands.executeCommand('vscode.open', uri);
      const editor = vscode.window.activeTextEditor ?? assert.fail('no editor');
      const { document } = editor;
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), ' '));
      assert.ok(document.isDirty);
      const [shown] = await errorsShown(async () => {
        const changed = await change({ setting, value: true, scope: 'workspace' });
        assert.deepEqual([changed.ok, changed.error?.code], [false, 'not-set']);
      });
      assert.match(shown?.message ?? '', /^The setting was not changed\. .*unsaved changes/);
      assert.equal(inspect(setting).workspaceValue, false);
      await vscode.commands.executeCommand('workbench.action.files.revert');
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await until(vscode.workspace.onDidCloseTextDocument, () => document.isClosed);
      assert.ok((await change({ setting, value: true, scope: 'workspace' })).ok);
    });

    it('writes no value that the administrator does not allow', async () => {
      const file = process.env.SVC_TEST_POLICY_FILE ?? assert.fail('SVC_TEST_POLICY_FILE is not set');
      const setting = 'svc.compliance.dataResidency';
      writeFileSync(file, JSON.stringify({ version: 1, allowedRegions: ['eu-west', 'us-east'] }));
      try {
        await vscode.commands.executeCommand('svc.showPolicy');
        await stage.set(setting, undefined);
        assert.deepEqual((await change({ setting, value: 'us-west', scope: 'user' })).error?.code, 'settings');
        assert.equal(inspect(setting).globalValue, undefined);
        assert.ok((await change({ setting, value: 'us-east', scope: 'user' })).ok);
        assert.equal(inspect(setting).globalValue, 'us-east');
      } finally {
        rmSync(file, { force: true });
        await vscode.commands.executeCommand('svc.showPolicy');
      }
    });

    it('refuses a value that is not allowed, a scope that the window does not have, and other settings', async () => {
      const setting = 'svc.compliance.audit';
      for (const wrong of [
        { setting, value: 'on', scope: 'user' },
        { setting, value: true, scope: 'folder' },
        { setting, value: true, folder: 'file:///elsewhere' },
        { setting, value: true, folder: 'no URI' },
        { setting: 'svc.compliance.frameworks', value: ['gdpr', 'pci'], scope: 'user' },
        { setting: 'svc.baseUrl', value: 'https://elsewhere.example/api/v1', scope: 'user' },
      ]) {
        assert.equal((await change(wrong)).error?.code, 'wrong-argument', JSON.stringify(wrong));
      }
      assert.equal(inspect(setting).globalValue, undefined);
    });

    it('changes nothing if the user closes the question', async () => {
      const closed = change({ setting: 'svc.compliance.audit', scope: 'user' });
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      assert.equal((await closed).error?.kind, 'aborted');
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
        /settings\.json, line 2: the JSON is invalid/,
      ],
      'a setting is there twice': [
        `{\n  ${audit},\n  "svc.compliance.audit": false\n}`,
        /line 3: svc\.compliance\.audit/,
      ],
      'a merge conflict is left': [
        `{\n<<<<<<< HEAD\n  ${audit}\n=======\n>>>>>>> b\n}`,
        /line 2: there is an unresolved merge conflict/,
      ],
      'there is a list': [`[{ ${audit} }]`, /line 1: settings must be an object/],
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

    it('is not taken for one that VS Code skips, if its watcher reports nothing or an earlier read ends later', async () => {
      const setting = 'svc.compliance.securityLevel';
      const { createFileSystemWatcher } = vscode.workspace;
      const nothing = (): vscode.Disposable => ({ dispose() {} });
      const silent = { onDidChange: nothing, onDidCreate: nothing, onDidDelete: nothing, dispose() {} };
      const storage = vscode.Uri.file(join(dirname(results), 'data', 'User', 'globalStorage', 'svc.svc-coder'));
      /** The parser of the next file waits for this. */
      let held: Promise<void> | undefined;
      await stage.set(setting, 'standard', vscode.ConfigurationTarget.Workspace);
      Object.assign(vscode.workspace, { createFileSystemWatcher: () => silent });
      const files = new SettingsFiles(storage, async () => {
        const now = held;
        held = undefined;
        await now;
        return readSettingsText;
      });
      try {
        await files.read(allFolders());
        assert.deepEqual(files.stateFor(allFolders()), []);
        await stage.set(setting, 'high', vscode.ConfigurationTarget.Workspace);
        await until(files.onDidChange, () => files.stateFor(allFolders()).length === 0);

        // Another text with the same settings is read, and its parser held until a later read has ended.
        const { promise, resolve } = Promise.withResolvers<void>();
        writeFileSync(file, `${readFileSync(file, 'utf8')}\n`);
        held = promise;
        const earlier = files.read(allFolders());
        while (held !== undefined) await new Promise((next) => setImmediate(next));
        await stage.set(setting, 'maximum', vscode.ConfigurationTarget.Workspace);
        await files.read(allFolders());
        resolve();
        await earlier;
        assert.deepEqual(files.stateFor(allFolders()), []);
      } finally {
        Object.assign(vscode.workspace, { createFileSystemWatcher });
        files.dispose();
      }
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

/**
 * Repeats until the answer is as expected; the test's own time limit ends it. Each reading opens a list, which VS Code
 * closes before the next one: thousands of lists would keep the window busy long after the test.
 */
async function waitFor(read: () => Promise<string>, holds: (text: string) => boolean): Promise<void> {
  while (!holds(await read())) await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
}
