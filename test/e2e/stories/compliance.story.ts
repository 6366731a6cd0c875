import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Computer } from '../computer.ts';
import { expect, expectChats, key, test } from '../fixtures.ts';
import type { Workbench } from '../workbench.ts';

// Assembled here, so that secret scanners find nothing in this file.
const secret = ['svc_', 'ent_', 'canary0123456789abcdef'].join('');
const shortToken = ['_authToken', '=a1b2c3d4'].join('');

/** The whole text of the active editor, read by copying once it contains a part. The editor may not show its text yet. */
async function copied(workbench: Workbench, part: string): Promise<string> {
  const { page } = workbench;
  let text = '';
  await expect(async () => {
    await workbench.clickEditor();
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Control+C');
    text = await page.evaluate(() => navigator.clipboard.readText());
    expect(text).toContain(part);
  }).toPass({ timeout: 120_000 });
  return text.replaceAll('\r\n', '\n');
}

/** The files below a folder whose bytes contain one of these phrases, in UTF-8 or UTF-16. */
function filesWith(folder: string, phrases: readonly string[], part = ''): string[] {
  const forms = phrases.flatMap((phrase) => [Buffer.from(phrase), Buffer.from(phrase, 'utf16le')]);
  return namesBelow(folder).filter((name) => {
    if (!name.includes(part)) return false;
    const bytes = unlessGone(() => readFileSync(join(folder, name)), Buffer.alloc(0));
    return forms.some((form) => bytes.includes(form));
  });
}

function namesBelow(folder: string): string[] {
  return unlessGone(() => readdirSync(folder, { withFileTypes: true }), []).flatMap((entry) => {
    if (entry.isDirectory()) return namesBelow(join(folder, entry.name)).map((name) => join(entry.name, name));
    return entry.isFile() ? [entry.name] : [];
  });
}

/** VS Code may rename or delete a file, or a folder, at this moment. */
function unlessGone<T>(read: () => T, gone: T): T {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return gone;
    throw error;
  }
}

/** The conversation files that contain a phrase. */
function kept({ dataDir }: Computer, phrase: string): string[] {
  return filesWith(dataDir, [phrase], 'history');
}

test.describe('posture', () => {
  test.use({
    userSettings: { 'svc.compliance.securityLevel': 'high' },
    workspaceSettings: { 'svc.compliance.securityLevel': 'standard' },
  });

  test('shows which layer sets each header and which were overruled, follows the settings, and opens them', async ({
    workbench,
    chat,
  }) => {
    await workbench.storeKey(key);
    await chat.open();
    await expect(chat.posture).toContainText('high');
    await expect(chat.posture).toHaveAttribute('title', /Svc-Security-Level: high \(user; workspace set standard\)/);
    workbench.writeWorkspaceSettings({
      'svc.compliance.securityLevel': 'maximum',
      'svc.compliance.frameworks': ['gdpr'],
    });
    await expect(chat.posture).toHaveText('maximum +1');
    await expect(workbench.statusItem).toHaveText('Svc: maximum');
    await expect(workbench.statusItem.getByRole('button')).toHaveAccessibleName(/compliance settings maximum · gdpr$/);
    await chat.posture.click();
    const row = (name: string) => workbench.quickPick.filter({ hasText: name });
    await expect(workbench.quickPick).toHaveText([
      /Security Level: maximum.*set by workspace.*The strictest scope applies \(user set high\)/,
      /Data Residency: Not set.*is not sent/,
      /Audit: Not set/,
      /Zero Retention: Not set/,
      /Frameworks: gdpr.*set by workspace.*Sent as Svc-Compliance-Frameworks: gdpr/,
      /API Key: stored/,
      /All Compliance Settings/,
    ]);
    const settings = workbench.page.locator('.settings-editor');
    await workbench.clickRowButton(row('Security Level'), 'Open Settings', settings);
    await expect(settings).toContainText('Security Level');
  });

  test('a row changes a setting in a scope, and says when a stricter scope applies', async ({ workbench, chat }) => {
    const row = (name: string) => workbench.quickPick.filter({ hasText: name });
    const title = workbench.page.locator('.quick-input-title');
    await chat.open();
    await chat.posture.click();
    await workbench.shoot('compliance-rows');
    await workbench.choose('Security Level');
    await expect(workbench.quickPick).toHaveText([/User.*high/, /Workspace.*standard/]);
    await workbench.shoot('compliance-scopes');
    await workbench.chooseExactly('Workspace');
    await expect(title).toHaveText('Security Level · Workspace (step 2 of 2)');
    await expect(row('standard')).toContainText('No effect: high applies, set by user');
    await expect(row('maximum')).toContainText('Highest security, compliance mode.');
    await workbench.shoot('compliance-values');
    const back = workbench.page.locator('.quick-input-widget').getByRole('button', { name: 'Back' });
    await workbench.clickUntil(back, back, 'hidden');
    await workbench.chooseExactly('Workspace');
    await workbench.chooseExactly('maximum');
    // The list is back, with the changed row.
    await expect(row('Security Level: maximum')).toContainText('set by workspace');
    await expect(chat.posture).toContainText('maximum');
    expect(workbench.readFile('.vscode/settings.json')).toContain('"svc.compliance.securityLevel":"maximum"');

    await workbench.clickRowButton(row('Frameworks'), 'Change');
    await workbench.chooseExactly('User');
    await workbench.check('sox', true);
    await workbench.check('gdpr', true);
    await workbench.acceptChecked();
    await expect(row('Frameworks: sox, gdpr')).toContainText('set by user');
    await workbench.choose('Audit');
    await workbench.chooseExactly('User');
    await workbench.chooseExactly('On');
    await expect(row('Audit: On')).toBeVisible();
    expect(workbench.userSettings()).toMatch(/"svc\.compliance\.audit": ?true/);
    await workbench.closeList();
    await expect(chat.posture).toHaveText('maximum +2');
  });
});

test.describe('the gate', () => {
  test.use({
    files: {
      '.env': 'TOKEN=abc',
      'config/.env': `SHOP_STOCK=ninety crates of apples stand beside the ramp\nSHOP_KEEPER=the keeper of the ramp is away on Mondays\n`,
      '.svcignore': 'private/',
      'private/hidden.ts': 'const a = 1;\n',
      'registry.txt': `registry=https://registry.example\n${shortToken}\n`,
    },
  });

  test('pasted lines of an excluded file are left out after a question, and the turn names the file', async ({
    workbench,
    chat,
    service,
  }) => {
    await workbench.storeKey(key);
    await chat.ask('Why?\n\n\n1: SHOP_STOCK=ninety crates of apples stand beside the ramp');
    await chat.becomes('confirming');
    await expect(chat.confirmation).toContainText('Your message contains text of an excluded file; nothing sent yet');
    await expect(chat.confirmation).toContainText('3 lines from config/.env');
    await workbench.shoot('excluded-content');
    await expect(chat.confirmationButton('send-as-is')).toHaveCount(0);
    await chat.confirmationButton('send-masked').click();
    await chat.becomes('complete');
    const [sent] = service.chats;
    expect(sent?.body).toContain('Why?\\n[left out: 3 lines of config/.env]');
    expect(sent?.body).not.toContain('crates');
    await expect(chat.turns.first().getByTestId('left-out')).toHaveText(/Left out as excluded: text of config\/\.env/);
    await workbench.shoot('excluded-content-sent');
    await chat.newChat();
  });

  test('a short token, pasted and in a file, is masked like any secret, and the window keeps working', async ({
    workbench,
    chat,
    service,
  }) => {
    await workbench.storeKey(key);
    await workbench.openFile('registry.txt');
    await workbench.clickEditor();
    await workbench.run('Svc: Add to Svc Chat');
    await expect(chat.chips).toHaveText([/registry\.txt/]);
    await chat.ask(`Is this good?\n${shortToken}`);
    await chat.becomes('confirming');
    await expect(chat.confirmation).toContainText('2 secrets found; nothing sent yet');
    await expect(chat.confirmation).toContainText('your message, line 2');
    await expect(chat.confirmation).toContainText('registry.txt, line 2');
    await chat.confirmationButton('send-masked').click();
    await chat.becomes('complete');
    // The same secret has the same mark.
    const [, mark = ''] =
      /_authToken=(\[masked: npm-auth-token [a-z2-7]{5}\])/.exec(service.chats[0]?.body ?? '') ?? [];
    expect(service.chats[0]?.body.split(`_authToken=${mark}`)).toHaveLength(3);
    expect(service.chats[0]?.body).not.toContain(shortToken);

    // The mark is in the earlier message now, and is not a secret in the next.
    await chat.ask('And now?');
    await expect(chat.turns).toHaveCount(2);
    await chat.becomes('complete');
    expect(service.chats[1]?.body).toContain(`Is this good?\\n_authToken=${mark}`);
    expect(service.chats[1]?.body).not.toContain(shortToken);
    await chat.newChat();
  });

  test('secrets are found, and masked, sent or not sent as the user chooses', async ({ workbench, chat, service }) => {
    await workbench.storeKey(key);
    await chat.open();
    await chat.composer.fill(`Is this key good?\n${secret}`);
    await chat.composer.press('Enter');
    await chat.becomes('confirming');
    await expect(chat.confirmation).toContainText('1 secret found; nothing sent yet');
    await expect(chat.confirmation).toContainText('svc key: your message, line 2');
    await expect(chat.confirmation).not.toContainText(secret);
    await expect(chat.confirmationButton('send-masked')).toBeFocused();
    expect(service.chats).toHaveLength(0);
    await workbench.shoot('review');

    await chat.confirmationButton('send-masked').click();
    await chat.becomes('complete');
    expect(service.chats[0]?.body).toMatch(/Is this key good\?\\n\[masked: svc-key [a-z2-7]{5}\]/);
    expect(service.chats[0]?.body).not.toContain(secret);
    await expect(chat.turns.last()).toContainText('secrets masked: 1');

    await chat.ask(`Again ${secret}`);
    await chat.becomes('confirming');
    await chat.confirmationButton('cancel-send').click();
    await chat.becomes('stopped');
    await expectChats(service, 1);

    await chat.ask(`As it is ${secret}`);
    await chat.becomes('confirming');
    await chat.confirmationButton('send-as-is').click();
    await chat.becomes('complete');
    expect(service.chats[1]?.body).toContain(`As it is ${secret}`);
    expect(service.chats[1]?.body.split(secret)).toHaveLength(2);

    await chat.ask('To the same place');
    await expect(chat.turns).toHaveCount(4);
    await chat.becomes('complete');
    expect(service.chats[2]?.body).toContain(secret);
    workbench.writeWorkspaceSettings({ 'svc.compliance.securityLevel': 'maximum' });
    await expect(chat.posture).toContainText('maximum');
    await chat.ask('Under another posture');
    await expect(chat.turns).toHaveCount(5);
    await chat.becomes('complete');
    expect(service.chats[3]?.body).not.toContain(secret);
  });

  test('files that may not be sent are not sent, and the panel explains why', async ({ workbench, chat, service }) => {
    await workbench.storeKey(key);
    await workbench.openFile('.env');
    await workbench.run('Svc: Explain Code');
    await chat.becomes('failed');
    await expect(chat.cards).toContainText('Nothing was sent: .env is excluded');
    await expect(chat.cards).toContainText('a built-in rule (.env)');
    // The panel takes the focus when it is shown, which would close a list that is already open.
    await expect(chat.composer).toBeFocused();
    await workbench.openFile('hidden.ts');
    await workbench.run('Svc: Explain Code');
    await expect(chat.turns).toHaveCount(2);
    await expect(chat.cards).toContainText('private/hidden.ts is excluded');
    await expect(chat.cards).toContainText('.svcignore');
    expect(service.chats).toHaveLength(0);
  });
});

test.describe('the request', () => {
  test.use({
    workspaceSettings: { 'svc.gate.preview': true, 'svc.compliance.dataResidency': 'eu-west' },
    files: { 'pay.ts': 'export const rate = 0.19; // “VAT”\n' },
  });

  test('is shown before each send, byte for byte; a cancel sends nothing', async ({ workbench, chat, service }) => {
    await workbench.storeKey(key);
    await workbench.openFile('pay.ts');
    await workbench.run('Svc: Explain Code');
    await chat.becomes('confirming');
    await expect(chat.confirmation).toContainText('Review this request before it is sent');
    await expect(chat.confirmation).toContainText(`${service.baseUrl}/chat/completions`);
    await expect(chat.confirmation).toContainText('Svc-Data-Residency: eu-west');
    await expect(chat.confirmation).toContainText(/pay\.ts \(\d+ bytes\)/);
    await chat.confirmation.getByTestId('show-exact-text').click();
    await expect(workbench.page.locator('.tab.active')).toContainText('Request Preview');
    const shown = await copied(workbench, 'Request body (');
    expect(shown).toMatch(/^POST .*\n\nSvc headers\n {2}Svc-Data-Residency: eu-west {3}\(set by workspace\)\n/);
    await workbench.shoot('request-preview');
    expect(shown).not.toContain(key);
    expect(service.chats).toHaveLength(0);

    await chat.confirmationButton('send-masked').click();
    await chat.becomes('complete');
    const body = service.chats[0]?.body ?? '';
    expect(shown.endsWith(`Request body (${Buffer.byteLength(body)} bytes):\n${body}`)).toBe(true);

    await chat.ask('And this?');
    await chat.becomes('confirming');
    await chat.confirmationButton('cancel-send').click();
    await chat.becomes('stopped');
    await expectChats(service, 1);
  });

  test('can be viewed before the question is asked', async ({ workbench, chat, service }) => {
    await workbench.storeKey(key);
    await chat.open();
    await chat.composer.fill('A draft, not sent');
    await workbench.run('Svc: Preview Request');
    await expect(workbench.page.locator('.tab.active')).toContainText('Request Preview');
    await copied(workbench, 'A draft, not sent');
    await expect(chat.composer).toHaveValue('A draft, not sent');
    expect(service.chats).toHaveLength(0);
  });

  test('reads as messages, with masked secrets highlighted', async ({ workbench, chat, service }) => {
    await workbench.storeKey(key);
    await chat.open();
    await chat.composer.fill(`Headers\nuse ${key} here\nof\u202eten`);
    await workbench.run('Svc: Preview Request');
    await expect(workbench.page.locator('.tab.active')).toContainText('Request Preview');
    const lines = workbench.page.locator('.editor-instance:visible .view-line');
    await expect(lines.filter({ hasText: 'Message 1 of 1: user' })).toBeVisible();
    await expect(lines.filter({ hasText: '│ of[U+202E]ten' })).toBeVisible();
    await expect(lines.filter({ hasText: '│ use [masked: svc-key' })).toBeVisible();
    // Its background is all that is drawn there.
    const mask = workbench.page.locator('.editor-instance:visible .view-overlays [class*="ced-"]');
    await expect(mask).toHaveCount(1);
    await expect(async () => {
      await workbench.page.mouse.move(0, 0);
      await mask.hover({ force: true, timeout: 5_000 });
      const words = workbench.page.getByText('A secret was masked here. It is not sent.');
      await expect(words).toBeVisible({ timeout: 5_000 });
    }).toPass({ timeout: 120_000 });
    await workbench.shoot('request-preview');
    const shown = await copied(workbench, 'use [masked: ');
    expect(shown).toContain('\n      │ Headers\n      │ use [masked: ');
    expect(shown).not.toContain(key);
    expect(service.chats).toHaveLength(0);
  });
});

test.describe('receipts', () => {
  test.use({
    isNew: true,
    workspaceSettings: { 'svc.compliance.securityLevel': 'maximum', 'svc.compliance.audit': true },
  });

  test('show what was requested beside what the service reports', async ({ workbench, chat, service }) => {
    await workbench.storeKey(key);
    await chat.open();
    await chat.ask('Hello');
    await chat.becomes('complete');
    await expect(chat.receipt).toHaveAttribute('data-verdict', 'confirmed');
    await expect(chat.receipt).toContainText('Confirmed by the service');
    service.setScenario('security-contradiction');
    await chat.ask('Hello again');
    await expect(chat.turns).toHaveCount(2);
    await chat.becomes('complete');
    await expect(chat.receipt).toHaveAttribute('data-verdict', 'contradicted');
    // It opens by itself, and says what is different.
    await expect(chat.receipt.locator('.contradiction')).toHaveText(
      'Svc-Security-Level: You asked for maximum; the service reports standard.',
    );
    await expect(chat.said).toContainText(
      'Service reports different settings. Svc-Security-Level: You asked for maximum; the service reports standard.',
    );
    const row = chat.receipt.locator('tr.contradicted');
    await expect(row).toContainText(/Svc-Security-Level\s*maximum\s*standard/);
    await workbench.shoot('receipt');
    const isOpen = (): Promise<boolean> => chat.receipt.evaluate((part) => part.hasAttribute('open'));
    const hide = async (): Promise<void> => {
      await workbench.run('View: Toggle Secondary Side Bar Visibility');
      await expect(chat.composer).toBeHidden();
    };
    // It stays open in a panel that is created again, until the user closes it.
    await hide();
    await chat.open();
    await expect.poll(isOpen).toBe(true);
    await chat.receipt.locator('summary').click();
    await expect.poll(isOpen).toBe(false);
    await hide();
    await chat.open();
    await expect(chat.receipt).toHaveAttribute('data-verdict', 'contradicted');
    expect(await isOpen()).toBe(false);
    // If the panel is hidden when the answer ends, a notification says it.
    const held = service.holdChunks();
    await chat.ask('Hello once more');
    held.release(1);
    await chat.becomes('streaming');
    await hide();
    held.release();
    await workbench.heard(
      /different settings\. Svc-Security-Level: You asked for maximum; the service reports standard\./,
    );
    await chat.open();
    await expect(chat.turns).toHaveCount(3);
    await expect.poll(isOpen).toBe(true);
    await workbench.run('Svc: Verify Audit Log');
    await workbench.heard(/The audit log is intact\. Records: \d+, files: 2/);
    // The user has seen it before.
    await workbench.reload();
    await chat.open();
    await expect(chat.turns).toHaveCount(3);
    await expect(chat.receipt).toHaveAttribute('data-verdict', 'contradicted');
    expect(await isOpen()).toBe(false);
  });
});

test.describe('zero retention', () => {
  const canary = 'canary-phrase-8f3a1c';

  test.describe('from the start', () => {
    test.use({
      isAlone: true,
      userSettings: { 'svc.compliance.zeroRetention': true, 'svc.tools.enabled': true },
      files: { 'pay.ts': `export const rate = 0.19;\n` },
    });

    test('no content reaches the disk', async ({ workbench, chat, service, computer }) => {
      await workbench.storeKey(key);
      await chat.open();
      await chat.ask(`Hello ${canary}`);
      await chat.becomes('complete');
      expect(service.chats[0]?.headers['svc-zero-retention']).toBe('true');
      await expect(chat.answers.last()).toContainText(canary);
      // A line with its position, in a form that no file contains.
      const result = 'pay.ts:1: export const rate';
      await chat.ask('Please search the text for "rate"');
      await chat.toolButton('allow-once').click();
      await chat.becomes('complete');
      await expect(chat.answers.last()).toContainText(result);
      await workbench.openFile('pay.ts');
      await workbench.run('Svc: Generate Code…');
      await workbench.answer(`a function that adds two numbers, ${canary}`);
      await workbench.page.getByRole('button', { name: 'Accept All' }).waitFor();
      await chat.composer.fill(`A draft ${canary}`);
      await workbench.run('View: Toggle Secondary Side Bar Visibility');
      await workbench.reload();
      await chat.open();
      await expect(chat.composer).toHaveValue('');
      await expect(chat.turns).toHaveCount(0);
      await computer.context.close();
      // If VS Code runs in a browser, the browser may store the content of VS Code's input box for its tab.
      const found = filesWith(computer.folder, [canary, result]);
      expect(found.filter((name) => !/^browser\/.*\/Sessions\//.test(name))).toEqual([]);
    });
  });

  test('a conversation that continues under it is removed from the disk, and the user is told', async ({
    workbench,
    chat,
    computer,
  }) => {
    await workbench.storeKey(key);
    await chat.open();
    await chat.ask(`Hello ${canary}`);
    await chat.becomes('complete');
    await expect.poll(() => kept(computer, canary)).toHaveLength(1);
    workbench.writeWorkspaceSettings({ 'svc.compliance.zeroRetention': true });
    await expect(chat.messages).toContainText('This conversation was removed from the disk');
    await chat.ask('And now?');
    await chat.becomes('complete');
    expect(kept(computer, canary)).toEqual([]);
    await workbench.reload();
    await chat.open();
    await expect(chat.turns).toHaveCount(0);
  });
});

test.describe('local data', () => {
  test.use({ isNew: true });

  test('is purged on request, and the removed data is reported', async ({ workbench, chat, computer }) => {
    await workbench.storeKey(key);
    await chat.open();
    await chat.ask('Hello purge-canary');
    await chat.becomes('complete');
    await expect.poll(() => kept(computer, 'purge-canary')).toHaveLength(1);
    await workbench.run('Svc: Delete Local Data (Clear History)…');
    await workbench.check('API keys', true);
    await workbench.acceptChecked();
    await expect(workbench.page.getByRole('dialog')).toContainText(
      'Conversations in all workspaces, with the draft of this window: 1',
    );
    await workbench.answerDialog('Delete');
    await expect(chat.messages).toContainText('Deleted: conversations 1, drafts, keys 1, audit log files 0');
    workbench.keyIsGone();
    expect(kept(computer, 'purge-canary')).toEqual([]);
    await expect(chat.turns).toHaveCount(0);
    await expect(chat.notice).toContainText('Store your API key');
  });
});
