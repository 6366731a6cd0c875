import { expect, expectChats, key, test } from '../fixtures.ts';

test.beforeEach(async ({ workbench, chat }) => {
  await workbench.storeKey(key);
  await chat.open();
});

test.describe('settings of the workspace', () => {
  test.use({
    workspaceSettings: {
      'svc.compliance.securityLevel': 'standard',
      'svc.compliance.dataResidency': 'eu-west',
      'svc.compliance.frameworks': ['gdpr'],
    },
    userSettings: { 'svc.compliance.securityLevel': 'maximum', 'svc.compliance.frameworks': ['hipaa'] },
  });

  test('4.5 arrive as headers at the service, and loosen nothing', async ({ chat, service, workbench }) => {
    await expect(chat.posture).toContainText('maximum');
    await expect(workbench.statusItem).toContainText('maximum');
    await chat.ask('Hello');
    await chat.becomes('complete');
    const headers = service.chats[0]?.headers;
    expect(headers?.['svc-security-level']).toBe('maximum');
    expect(headers?.['svc-data-residency']).toBe('eu-west');
    expect(headers?.['svc-compliance-frameworks']).toBe('hipaa,gdpr');
    expect(headers?.['svc-audit-enabled']).toBeUndefined();
  });
});

test('4.5 an invalid value blocks: nothing is sent, and the message lists the allowed values', async ({
  chat,
  service,
  workbench,
}) => {
  workbench.writeWorkspaceSettings({ 'svc.compliance.securityLevel': 'Maximum' });
  await expect(chat.posture).toContainText('blocked');
  await chat.ask('Hello');
  await expect(chat.cards).toContainText('svc.compliance.securityLevel');
  await expect(chat.cards).toContainText('"Maximum" in workspace settings');
  await expect(chat.cards).toContainText('standard, high, maximum');
  expect(service.chats).toHaveLength(0);
  workbench.writeWorkspaceSettings({ 'svc.compliance.securityLevel': 'maximum' });
  await expect(chat.posture).not.toContainText('blocked');
  await chat.action('retry').click();
  await chat.becomes('complete');
  expect(service.chats[0]?.headers['svc-security-level']).toBe('maximum');
});

test('a retry checks the policy again: a changed setting blocks it, and the panel explains why', async ({
  chat,
  service,
  workbench,
}) => {
  // The longest wait: it must not end before the change.
  service.setScenario('rate-limit', { retryAfterSeconds: 60 });
  await chat.ask('Hello');
  await expect(chat.retry).toContainText('Retrying in');
  workbench.writeWorkspaceSettings({ 'svc.compliance.securityLevel': 'maximum' });
  await expect(chat.posture).toContainText('maximum');
  await chat.frame.getByTestId('retry-now').click();
  await chat.becomes('failed');
  await expect(chat.cards).toContainText('The request was not sent again');
  await expect(chat.cards).toContainText('Changed while the request waited: the Svc headers');
  await expectChats(service, 1);
  // The service still asks for a delay: for the request in its new form, the wait starts again.
  await chat.action('retry').click();
  await expect(chat.retry).toContainText('Retrying in');
  await chat.frame.getByTestId('retry-now').click();
  await chat.becomes('complete');
  expect(service.chats.map(({ headers }) => headers['svc-security-level'])).toEqual([undefined, 'maximum']);
});
