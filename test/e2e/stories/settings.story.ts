import { expect, expectChats, key, test } from '../fixtures.ts';

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
      await workbench.run('Svc: Add to Svc Chat');
      await expect(chat.chips.last()).toContainText(name);
    };
    const says = async (words: string): Promise<void> => {
      const [first = '', ...others] = words.split(' · ');
      await expect(chat.posture).toHaveText(others.length === 0 ? first : `${first} +${others.length}`);
      await expect(workbench.statusItem.getByRole('button')).toHaveAccessibleName(
        `Svc: model svc/auto, compliance settings ${words}`,
      );
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

  test('a setting of one folder is changed, and shows what it would block', async ({ workbench, chat }) => {
    const row = (name: string) => workbench.quickPick.filter({ hasText: name });
    await chat.open();
    await workbench.openFile('pay.ts');
    await workbench.run('Svc: Add to Svc Chat');
    await expect(chat.posture).toHaveText('standard +2');
    await workbench.run('Svc: Change Compliance Setting (HIPAA, GDPR, Region)…');
    await workbench.choose('Data Residency: eu-west');
    await expect(workbench.quickPick).toHaveText([
      /User.*Not set/,
      /Workspace.*Not set/,
      /Folder app.*eu-west/,
      /Folder lib.*us-west/,
    ]);
    await workbench.choose(/^\s*Folder lib/);
    // A request with content of both folders.
    await expect(row('us-east')).toContainText('Blocks every request');
    await expect(row('us-east')).toContainText('"eu-west" in folder app settings, "us-east" in folder lib settings');
    await workbench.choose(/^\s*eu-west/);
    // As text: VS Code may be writing the file.
    const isEuWest = /"svc\.compliance\.dataResidency":\s*"eu-west"/;
    await expect.poll(() => workbench.readFile('lib/.vscode/settings.json')).toMatch(isEuWest);
    expect(workbench.readFile('app/.vscode/settings.json')).toMatch(isEuWest);
  });

  test('a draft with a file of a folder with zero retention attached is not on the disk', async ({
    workbench,
    chat,
  }) => {
    const draft = 'canary-draft-71b3';
    await chat.open();
    await chat.composer.fill(draft);
    await workbench.openFile('fee.ts');
    await workbench.run('Svc: Add to Svc Chat');
    await expect(chat.posture).toHaveAttribute('title', /Svc-Zero-Retention: true/);
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
    await expect(chat.notice).toContainText('.vscode/settings.json, line 2: the JSON is invalid there');
    await expect(chat.posture).toHaveText('blocked');
    await chat.ask('Hello');
    await chat.becomes('failed');
    await expect(chat.cards).toContainText('could not read all of .vscode/settings.json');
    expect(service.chats).toHaveLength(0);

    workbench.writeSettingsText('{\n  "svc.compliance.audit": true,\n  "svc.compliance.zeroRetention": true\n}\n');
    await expect(chat.notice).toBeHidden();
    await expect(chat.posture).toHaveText('audit +1');
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
    await expectChats(service, 1);

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
    await expect(chat.posture).toHaveText('maximum +1');
    await expect(chat.posture).toHaveAttribute('title', /remote machine set standard/);
    await chat.ask('Hello');
    await chat.becomes('complete');
    const [request] = service.chats;
    expect(request?.headers['svc-security-level']).toBe('maximum');
    expect(JSON.parse(request?.body ?? '{}')).not.toHaveProperty('tools');
  });
});

test('each setting of one value has a form in the settings editor', async ({ workbench, chat }) => {
  const { page } = workbench;
  await chat.open();
  const editor = page.locator('.settings-editor');
  await workbench.run('Svc: Open Settings');
  await expect(editor).toBeVisible();
  const item = editor.locator('.setting-item-contents');
  for (const [id, form] of [
    ['svc.compliance.audit', 'select, .monaco-select-box'],
    ['svc.compliance.zeroRetention', 'select, .monaco-select-box'],
    ['svc.connection', 'input'],
  ] as const) {
    await expect(async () => {
      await editor.locator('.suggest-input-container').click({ timeout: 5_000 });
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText(`@id:${id}`);
      await expect(item.and(page.locator(`[data-key="${id}"]`))).toBeVisible({ timeout: 10_000 });
    }).toPass({ timeout: 120_000 });
    await expect(item).toHaveCount(1);
    await expect(item.locator(form).first()).toBeVisible();
    await expect(item).not.toContainText('Edit in settings.json');
  }
  await workbench.shoot('settings-form');
});
