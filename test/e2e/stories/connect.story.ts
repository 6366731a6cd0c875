import { expect, key, test } from '../fixtures.ts';

test.describe('on a new machine', () => {
  test.use({ takesWindow: false, userSettings: { 'svc.baseUrl': '' } });

  test('first run to first answer: address, key, question', async ({ workbench, chat, service }) => {
    await chat.open();
    await expect(chat.notice).toContainText('Connect to your Svc service');
    await chat.action('setBaseUrl').click();
    await workbench.answer(service.baseUrl);
    await workbench.page.locator('.quick-input-widget:visible input[type=password]').waitFor();
    await workbench.answer(key);
    await workbench.heard('is valid and stored');
    await expect(chat.notice).toBeHidden();
    await chat.ask('What can you do?');
    await chat.becomes('complete');
    await expect(chat.answers.last()).not.toBeEmpty();
    expect(service.chats[0]?.headers.authorization).toBe(`Bearer ${key}`);
  });
});

test.describe('without a key', () => {
  test.use({ isNew: true });

  test('5 a wrong key is refused with a message, and not stored', async ({ workbench, chat, service }) => {
    await chat.open();
    await workbench.setKey('svc_ent_wrong_key');
    await workbench.heard('The API key was not accepted');
    await expect(chat.notice).toContainText('Store your API key');
    await chat.ask('Hello');
    await expect(chat.cards).toContainText('No API key is stored');
    expect(service.chats).toHaveLength(0);
  });

  test('2.5 a key of another format causes a warning, and is used anyway', async ({ workbench }) => {
    await workbench.setKey('another-kind-of-key');
    await workbench.heard('does not begin with svc_ent_');
    await workbench.heard('The API key was not accepted');
  });

  test('4.1 health is checked by command', async ({ workbench }) => {
    await workbench.run('Svc: Check Health');
    await workbench.heard('is up: 200');
  });

  test('4.2 the token is checked by command', async ({ workbench, chat }) => {
    await workbench.storeKey(key);
    await chat.open();
    await expect(chat.notice).toBeHidden();
    await workbench.run('Svc: Validate Token');
    await workbench.heard(/The API key for .* is valid\./);
  });
});

test('4.3 a model is chosen from the live list; a restart keeps it, and the key', async ({
  workbench,
  chat,
  service,
}) => {
  await workbench.storeKey(key);
  await chat.open();
  await chat.model.click();
  await workbench.quickPick.filter({ hasText: 'svc/secure-partner-3-5-sonnet' }).click();
  await expect(chat.model).toContainText('svc/secure-partner-3-5-sonnet');
  await workbench.reload();
  await chat.open();
  await expect(chat.model).toContainText('svc/secure-partner-3-5-sonnet');
  await chat.ask('Hello again');
  await chat.becomes('complete');
  expect(service.chats[0]?.json).toMatchObject({ model: 'svc/secure-partner-3-5-sonnet' });
  expect(service.chats[0]?.headers.authorization).toBe(`Bearer ${key}`);
});

test('4.3 an identifier can be typed if the list fails', async ({ workbench, chat, service }) => {
  await workbench.storeKey(key);
  service.setScenario('server-error', { endpoints: ['/models'] });
  await workbench.run('Svc: Select Model…');
  await expect(workbench.quickPick.first()).toContainText('The service failed');
  await workbench.answer('svc/my-own');
  await chat.open();
  await expect(chat.model).toContainText('svc/my-own');
});

test('a part of a name picks the matching model; typed text is the last item, and is shown literally', async ({
  workbench,
  chat,
}) => {
  await workbench.storeKey(key);
  await chat.open();
  await chat.model.click();
  await expect(workbench.quickPick.filter({ hasText: 'svc/restricted' })).toBeVisible();
  const last = workbench.quickPick.last();
  await workbench.input.fill('$(trash)');
  await expect(last).toContainText('Use “$\u2060(trash)” as typed');
  await expect(workbench.quickPick.locator('.codicon-trash')).toHaveCount(0);
  await workbench.input.fill('secure');
  await expect(last).toContainText('Use “secure” as typed');
  await expect(workbench.quickPick.first()).toContainText('svc/secure-partner-3-5-sonnet');
  await workbench.shoot('model-picker');
  await workbench.input.press('Enter');
  await expect(chat.model).toContainText('svc/secure-partner-3-5-sonnet');
});
