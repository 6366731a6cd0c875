import { expect, key, test } from '../fixtures.ts';

const source = 'export const rate = 0.19;\n';

test.describe('several folders', () => {
  test.use({
    workspaceFile: 'two.code-workspace',
    userSettings: { 'svc.compliance.frameworks': ['gdpr'] },
    files: {
      'app/src/pay.ts': source,
      'app/.vscode/settings.json': JSON.stringify({
        'svc.compliance.securityLevel': 'standard',
        'svc.compliance.dataResidency': 'eu-west',
      }),
      'app/.svc/prompts/rhyme.md': 'Make it rhyme.\n',
      'lib/src/fee.ts': source,
      'lib/.vscode/settings.json': JSON.stringify({
        'svc.compliance.dataResidency': 'us-west',
        'svc.compliance.zeroRetention': true,
      }),
      'two.code-workspace': JSON.stringify({ folders: [{ path: 'app' }, { path: 'lib' }] }),
    },
  });

  test('the posture is that of the next request: of its attachments, of its prompt, of both', async ({
    workbench,
    chat,
    service,
  }) => {
    const attach = async (name: string): Promise<void> => {
      await workbench.openFile(name);
      await workbench.run('Svc: Attach to Svc Chat');
      await expect(chat.chips.last()).toContainText(name);
    };
    const says = async (words: string): Promise<void> => {
      await expect(chat.posture).toHaveText(words);
      await expect(workbench.statusItem).toContainText(words);
    };
    await workbench.storeKey(key);
    await chat.open();
    await says('gdpr');

    await chat.composer.fill('/rhyme');
    await says('standard · eu-west · gdpr');
    await chat.composer.fill('');
    await says('gdpr');

    await attach('pay.ts');
    await says('standard · eu-west · gdpr');
    await chat.ask('What does this cost?');
    await chat.becomes('complete');
    const { headers = {} } = service.chats[0] ?? {};
    expect([
      headers['svc-security-level'],
      headers['svc-data-residency'],
      headers['svc-compliance-frameworks'],
    ]).toEqual(['standard', 'eu-west', 'gdpr']);
    // The conversation keeps it.
    await says('standard · eu-west · gdpr');

    await attach('fee.ts');
    await says('blocked');
    await expect(chat.posture).toHaveAttribute('title', /"eu-west" in folder app.*"us-west" in folder lib/);
    await workbench.run('Svc: New Chat');
    await says('us-west · zero retention · gdpr');
  });

  test('a draft with a file of a folder with zero retention attached is not on the disk', async ({
    workbench,
    chat,
  }) => {
    const draft = 'canary-draft-71b3';
    await chat.open();
    await chat.composer.fill(draft);
    await workbench.openFile('fee.ts');
    await workbench.run('Svc: Attach to Svc Chat');
    await expect(chat.posture).toContainText('zero retention');
    await expect(chat.composer).toHaveValue(draft);
    // Without the attachment, it would reappear.
    await workbench.reloadByCommand();
    await chat.open();
    await expect(chat.chips).toHaveCount(0);
    await expect(chat.composer).toHaveValue('');
  });
});

test.describe('a broken settings file', () => {
  test.use({ workspaceSettings: { 'svc.compliance.audit': true } });

  test('blocks until it is fixed, and is reported with its line and the reason', async ({
    workbench,
    chat,
    service,
  }) => {
    await workbench.storeKey(key);
    await chat.open();
    workbench.writeSettingsText('{\n  "svc.compliance.audit": ,\n  "svc.compliance.zeroRetention": true\n}\n');
    await expect(chat.notice).toContainText('.vscode/settings.json, line 2: it is not JSON there');
    await expect(chat.posture).toHaveText('blocked');
    await chat.ask('Hello');
    await chat.becomes('failed');
    await expect(chat.cards).toContainText('.vscode/settings.json is not read whole');
    expect(service.chats).toHaveLength(0);

    workbench.writeSettingsText('{\n  "svc.compliance.audit": true,\n  "svc.compliance.zeroRetention": true\n}\n');
    await expect(chat.notice).toBeHidden();
    await expect(chat.posture).toHaveText('audit · zero retention');
    await chat.action('retry').click();
    await chat.becomes('complete');
    expect(service.chats[0]?.headers['svc-zero-retention']).toBe('true');
  });
});

test.describe('a key in the settings', () => {
  const written = 'svc_ent_written_0123456789abcdef';
  test.use({ workspaceSettings: { 'svc.apiKey': written } });

  test('causes a warning with its place, and is neither shown nor used', async ({ workbench, chat, service }) => {
    await workbench.storeKey(key);
    await chat.open();
    await expect(chat.notice).toContainText('svc.apiKey in workspace settings');
    await expect(chat.notice).not.toContainText(written);
    await chat.ask('Hello');
    await chat.becomes('complete');
    expect(service.chats[0]?.headers.authorization).toBe(`Bearer ${key}`);

    workbench.writeWorkspaceSettings({ 'svc.model.chat': written });
    await expect(chat.notice).toContainText('svc.model.chat is "svc_ent_…" in workspace settings');
    await expect(chat.notice).not.toContainText(written);
    await chat.ask('Hello again');
    await chat.becomes('failed');
    expect(service.chats).toHaveLength(1);

    // VS Code does not report a setting that a workspace cannot set; only the file contains it.
    workbench.writeWorkspaceSettings({ 'svc.baseUrl': `http://127.0.0.1:9/${written}/api/v1` });
    await expect(chat.notice).toContainText('.vscode/settings.json, line 1');
    workbench.writeWorkspaceSettings({});
    await expect(chat.notice).toBeHidden();
  });
});

test.describe('a remote machine whose settings a devcontainer.json has written', () => {
  test.use({ isAlone: true, userSettings: { 'svc.compliance.securityLevel': 'maximum' } });

  test('tightens, and sets neither the address nor what is off', async ({ workbench, chat, service }) => {
    workbench.writeMachineSettings({
      'svc.baseUrl': 'http://127.0.0.1:9/api/v1',
      'svc.compliance.securityLevel': 'standard',
      'svc.compliance.audit': true,
      'svc.tools.enabled': true,
    });
    await workbench.reload();
    await workbench.storeKey(key);
    await chat.open();
    await expect(chat.posture).toHaveText('maximum · audit');
    await expect(chat.posture).toHaveAttribute('title', /remote machine asked for standard/);
    await chat.ask('Hello');
    await chat.becomes('complete');
    const [request] = service.chats;
    expect(request?.headers['svc-security-level']).toBe('maximum');
    expect(JSON.parse(request?.body ?? '{}')).not.toHaveProperty('tools');
  });
});
