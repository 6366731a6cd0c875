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
  await chat.ask('Hello about an answer that is cut');
  held.release(4);
  await chat.becomes('streaming');
  await expect(chat.answers.last()).not.toBeEmpty();
  // It is saved once a second while it streams.
  await expect.poll(() => workbench.savedConversation()).toContain('Hello about an answer that is cut');
  await workbench.reload();
  held.release(1000);
  await chat.open();
  await chat.becomes('interrupted');
  await expect(chat.turns.last()).toContainText('Hello about an answer that is cut');
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
    await expect.poll(() => workbench.savedConversation()).toContain('isPrime');
    await workbench.reload();
    await chat.open();
    await expect(chat.turns).toContainText('isPrime');

    await workbench.run('Svc: Show History');
    await expect(workbench.quickPick).toHaveCount(2);
    await workbench.input.fill('lighthouses');
    await expect(workbench.quickPick).toHaveCount(1);
    await workbench.choose('lighthouses');
    await expect(chat.turns).toHaveCount(1);
    await expect(chat.turns).toContainText('lighthouses');

    await workbench.run('Svc: Show History');
    const row = workbench.quickPick.filter({ hasText: 'lighthouses' });
    const title = workbench.page.locator('.quick-input-title').filter({ hasText: /^Rename$/ });
    await workbench.clickRowButton(row, 'Rename', title);
    await workbench.answer('$(trash) About the coast');
    await expect(workbench.quickPick.filter({ hasText: 'About the coast' })).toHaveCount(1);
    // The name is text, not an icon: in the list, and in the excerpt of a search.
    const name = /\(trash\) About the coast/;
    await expect(workbench.quickPick.filter({ hasText: 'About the coast' })).toHaveText(name);
    await workbench.input.fill('the coast');
    await expect(workbench.quickPick).toHaveCount(1);
    await expect(workbench.quickPick).toHaveText(new RegExp(`${name.source}.*${name.source}`, 's'));
    const renamed = workbench.quickPick.filter({ hasText: 'About the coast' });
    await workbench.clickRowButton(renamed, 'Delete', workbench.page.locator('.monaco-dialog-box'));
    await workbench.answerDialog('Delete');
    await expect(workbench.quickPick).toHaveCount(1);
    await workbench.input.press('Escape');
    await expect(chat.turns).toHaveCount(0);
  });
});
