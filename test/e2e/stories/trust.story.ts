import { expect, test } from '../fixtures.ts';

test.use({ workspaceTrust: true, userSettings: { 'security.workspace.trust.startupPrompt': 'never' } });

test('in Restricted Mode nothing is sent, and the panel says why', async ({ workbench, chat, service }) => {
  await chat.open();
  await expect(chat.notice).toContainText('not trusted');
  await chat.ask('Hello');
  await expect(chat.cards).toContainText('Nothing was sent: this workspace is not trusted');
  await workbench.run('Svc: Check Health');
  await expect(workbench.notification('Nothing was sent')).toBeVisible();
  expect(service.seenSockets).toBe(0);
});
