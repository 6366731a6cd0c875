import { expect, key, test } from '../fixtures.ts';

test.use({
  files: { 'src/pay.ts': 'export const rate = 0.19;\nexport const fee = 2;\n', '.env': 'TOKEN=abc\n' },
});

test('attachments are sent with the next question, and are read when it is sent', async ({
  workbench,
  chat,
  service,
}) => {
  await workbench.storeKey(key);
  await workbench.openFile('pay.ts');
  await workbench.page.locator('.editor-instance:visible .view-lines').first().click();
  await workbench.run('Svc: Attach to Svc Chat');
  await expect(chat.chips).toHaveText(/src\/pay\.ts.*48 bytes/);
  await expect(chat.composer).toBeFocused();

  // Text that is typed into the file afterwards is sent too.
  await workbench.page.locator('.editor-instance:visible .view-lines').first().click();
  await workbench.page.keyboard.press('Control+Home');
  await workbench.page.keyboard.type('export const tip = 1;');
  await workbench.page.keyboard.press('Enter');
  await chat.ask('What does this cost?');
  await chat.becomes('complete');
  await expect(chat.chips).toHaveCount(0);
  await expect(chat.turns.last()).toContainText('src/pay.ts');
  expect(service.chats[0]?.body).toContain('export const tip = 1;\\nexport const rate = 0.19;');
});

test('a file that may not leave is marked, blocks the question, and can be removed', async ({
  workbench,
  chat,
  service,
}) => {
  await workbench.storeKey(key);
  await chat.open();
  await expect(chat.composer).toBeFocused();
  await chat.attach.click();
  await workbench.quickPick.filter({ hasText: '.env' }).click();
  await expect(chat.chips).toHaveAttribute('title', /excluded by a built-in rule \(\.env\)/);
  await chat.ask('What is in it?');
  await expect(chat.cards).toContainText('.env may not leave this machine');
  expect(service.chats).toHaveLength(0);
  await chat.attach.click();
  await workbench.quickPick.filter({ hasText: 'pay.ts' }).click();
  await expect(chat.chips).toHaveCount(1);
  await chat.chips.getByRole('button').click();
  await expect(chat.chips).toHaveCount(0);
  await chat.ask('And without?');
  await expect(chat.turns).toHaveCount(2);
  await chat.becomes('complete');
});
