import { expect, expectChats, key, test } from '../fixtures.ts';

// What the user has typed under zero retention is nowhere on the disk: see compliance.story.ts.
test.use({ takesWindow: false, userSettings: { 'svc.compliance.zeroRetention': true } });

test.beforeEach(async ({ workbench, chat }) => {
  await workbench.storeKey(key);
  await chat.open();
});

test('typed text and an edited question survive a hidden and a moved panel, and come back neither sent nor twice', async ({
  workbench,
  chat,
  service,
}) => {
  const hideAndShow = async (): Promise<void> => {
    await workbench.run('View: Toggle Secondary Side Bar Visibility');
    await expect(chat.composer).toBeHidden();
    await chat.open();
  };
  await chat.ask('Hello');
  await chat.becomes('complete');
  expect(service.chats[0]?.headers['svc-zero-retention']).toBe('true');
  await chat.composer.pressSequentially('half a ');
  await hideAndShow();
  await expect(chat.composer).toHaveValue('half a ');
  // The newest text wins, in any number of pages.
  await chat.composer.pressSequentially('question');
  await hideAndShow();
  await expect(chat.composer).toHaveValue('half a question');

  await chat.frame.getByTestId('prompt').first().hover();
  await chat.frame.getByTestId('edit').first().click();
  await chat.frame.getByTestId('edit-text').fill('Hello, edited');
  await workbench.run('View: Move View');
  await workbench.choose('Secondary Side Bar / Svc');
  await workbench.choose('New Side Bar Entry');
  await expect(chat.composer).toHaveValue('half a question');
  await expect(chat.frame.getByTestId('edit-text')).toHaveValue('Hello, edited');
  await workbench.run('View: Reset View Locations');
  await chat.open();
  await expect(chat.composer).toHaveValue('half a question');
  await expect(chat.frame.getByTestId('edit-text')).toHaveValue('Hello, edited');
  await chat.frame.getByTestId('send-edit').click();
  await chat.becomes('complete');
  await expectChats(service, 2);
  await hideAndShow();
  await expect(chat.frame.getByTestId('edit-text')).toHaveCount(0);
  await expect(chat.composer).toHaveValue('half a question');

  // A new chat keeps what is typed, as without zero retention. Sent text does not come back.
  await chat.newChat();
  await expect(chat.composer).toHaveValue('half a question');
  await chat.composer.press('Enter');
  await chat.becomes('complete');
  await hideAndShow();
  await expect(chat.turns).toHaveCount(1);
  await expect(chat.composer).toHaveValue('');
});

test('a pasted megabyte survives a hidden panel, and no text survives the window', async ({ workbench, chat }) => {
  await chat.composer.fill('Look at this:');
  await chat.composer.evaluate((area) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'line of a long text\n'.repeat(50_000));
    area.focus();
    area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  await expect(chat.pasted).toContainText('1,000,000');
  await workbench.run('View: Toggle Secondary Side Bar Visibility');
  await expect(chat.composer).toBeHidden();
  await chat.open();
  await expect(chat.composer).toHaveValue('Look at this:');
  await expect(chat.pasted).toContainText('1,000,000');
  await workbench.reload();
  await chat.open();
  await expect(chat.composer).toHaveValue('');
  await expect(chat.pasted).toHaveCount(0);
});

test.describe('when it is turned on while the user types', () => {
  test.use({ userSettings: {} });

  test('the text stays, also in a panel that is hidden and shown', async ({ workbench, chat }) => {
    await chat.composer.pressSequentially('half a ');
    await expect.poll(() => workbench.stored()).toContain('half a ');
    workbench.writeWorkspaceSettings({ 'svc.compliance.zeroRetention': true });
    await expect(chat.frame.getByTestId('posture')).toHaveAttribute('title', /Svc-Zero-Retention: true/);
    await chat.composer.pressSequentially('question');
    await workbench.run('View: Toggle Secondary Side Bar Visibility');
    await expect(chat.composer).toBeHidden();
    await chat.open();
    await expect(chat.composer).toHaveValue('half a question');
    // VS Code had stored what was typed before.
    await expect.poll(() => workbench.stored()).not.toContain('half a ');
    await workbench.reload();
    await chat.open();
    await expect(chat.composer).toHaveValue('');
  });
});
