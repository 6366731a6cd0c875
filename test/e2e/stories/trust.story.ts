import { expect, key, test } from '../fixtures.ts';

test.use({
  workspaceTrust: true,
  takesWindow: false,
  leavesWindow: false,
  userSettings: { 'security.workspace.trust.startupPrompt': 'never' },
});

test('in Restricted Mode nothing is sent, and the panel explains why', async ({ workbench, chat, service }) => {
  await chat.open();
  await expect(chat.notice).toContainText('not trusted');
  await chat.ask('Hello');
  await expect(chat.cards).toContainText('Nothing was sent: this workspace is not trusted');
  // The reason stands once, and all of it is above the composer, including its buttons.
  await expect(chat.notice).toHaveCount(0);
  await expect(chat.action('manageTrust')).toHaveCount(1);
  await expect(async () => {
    const [card, button, composer] = await Promise.all([
      chat.cards.boundingBox(),
      chat.cards.getByTestId('card-action').last().boundingBox(),
      chat.composer.boundingBox(),
    ]);
    for (const box of [card, button]) expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(composer?.y ?? 0);
  }).toPass();
  await workbench.shoot('restricted-mode');
  await chat.newChat();
  await expect(chat.notice).toContainText('not trusted');
  await workbench.run('Svc: Check Service Status (Health)');
  await workbench.heard('Nothing was sent');
  expect(service.seenSockets).toBe(0);
});

test.describe('with a file', () => {
  test.use({ files: { 'a.ts': 'export const a = 1;\n' } });

  test('in Restricted Mode no command calls the service, and none writes a setting', async ({ workbench, service }) => {
    await workbench.openFile('a.ts');
    const before = workbench.userSettings();
    for (const [command, words] of [
      ['Svc: Set API Key (Token)…', 'Nothing was sent'],
      ['Svc: Check API Key (Token)', 'Nothing was sent'],
      ['Svc: Check Service Status (Health)', 'Nothing was sent'],
      ['Svc: Troubleshoot Connection (Proxy, Certificates)', 'Nothing was sent'],
      ['Svc: Use Svc Models in VS Code', 'Nothing was sent'],
      ['Svc: Select Model…', 'The setting was not changed'],
      ['Svc: Select Connection…', 'The setting was not changed'],
      ['Svc: Change Compliance Setting (HIPAA, GDPR, Region)…', 'The setting was not changed'],
      ['Svc: Toggle Inline Suggestions (Completions) for This Language', 'The setting was not changed'],
    ] as const) {
      await test.step(command, async () => {
        await workbench.run(command);
        await workbench.heard(`${words}: this workspace is not trusted`);
        await expect(workbench.input).toBeHidden();
        await workbench.run('Notifications: Clear All Notifications');
        await expect(workbench.notification(words).filter({ visible: true })).toHaveCount(0);
      });
    }
    expect(service.seenSockets).toBe(0);
    expect(workbench.userSettings()).toBe(before);
  });
});

test.describe('a workspace with its own settings', () => {
  test.use({ workspaceSettings: { 'svc.compliance.securityLevel': 'maximum' } });

  test('shows the next step, and its headers apply as soon as it is trusted', async ({ workbench, chat, service }) => {
    await chat.open();
    await expect(chat.notice).toContainText('not trusted');
    await expect(chat.startersHint).toHaveCount(0);
    await chat.action('manageTrust').click();
    const trust = workbench.page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true });
    await workbench.clickUntil(trust, trust, 'hidden');
    await expect(chat.notice).toContainText('Store your API key');
    await expect(chat.posture).toContainText('maximum');
    await workbench.setKey(key);
    await workbench.heard('is valid and was stored');
    await expect(chat.startersHint).toContainText('Open a file');
    await chat.ask('Hello');
    await chat.becomes('complete');
    expect(service.chats[0]?.headers['svc-security-level']).toBe('maximum');
  });
});
