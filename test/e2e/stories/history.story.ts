import { expect, key, test } from '../fixtures.ts';

test.beforeEach(async ({ workbench, chat }) => {
  await workbench.storeKey(key);
  await chat.open();
});

test('a window that closes in the middle of an answer shows the turn again, marked interrupted', async ({
  workbench,
  chat,
  service,
}) => {
  const held = service.holdChunks();
  await chat.ask('Hello');
  held.release(4);
  await chat.becomes('streaming');
  await expect(chat.answers.last()).not.toBeEmpty();
  // It is saved once a second while it streams.
  await expect.poll(() => workbench.stored()).toContain('svc.conversation');
  await workbench.reload();
  held.release(1000);
  await chat.open();
  await chat.becomes('interrupted');
  await expect(chat.turns.last()).toContainText('Hello');
  await chat.action('retry').click();
  await chat.becomes('complete');
});

test.describe('from the first conversation on', () => {
  test.use({ isNew: true });

  test('conversations are saved, found again, renamed and deleted', async ({ workbench, chat }) => {
    await chat.ask('Hello about lighthouses');
    await chat.becomes('complete');
    await chat.newChat();
    await chat.ask('Write a function isPrime in TypeScript');
    await chat.becomes('complete');
    await workbench.reload();
    await chat.open();
    await expect(chat.turns).toContainText('isPrime');

    await workbench.run('Svc: Show History');
    await expect(workbench.quickPick).toHaveCount(2);
    await workbench.input.fill('lighthouses');
    await expect(workbench.quickPick).toHaveCount(1);
    await workbench.input.press('Enter');
    await expect(chat.turns).toHaveCount(1);
    await expect(chat.turns).toContainText('lighthouses');

    await workbench.run('Svc: Show History');
    const row = workbench.quickPick.filter({ hasText: 'lighthouses' });
    await workbench.clickRowButton(row, 'Rename');
    await expect(workbench.page.locator('.quick-input-title')).toHaveText('Rename');
    await workbench.answer('About the coast');
    await expect(workbench.quickPick.filter({ hasText: 'About the coast' })).toHaveCount(1);
    const renamed = workbench.quickPick.filter({ hasText: 'About the coast' });
    await workbench.clickRowButton(renamed, 'Delete');
    await workbench.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Delete' }).click();
    await expect(workbench.quickPick).toHaveCount(1);
    await workbench.page.keyboard.press('Escape');
    await expect(chat.turns).toHaveCount(0);
  });
});
