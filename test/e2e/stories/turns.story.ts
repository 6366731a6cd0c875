import type { Locator } from '@playwright/test';
import { expect, expectChats, key, test } from '../fixtures.ts';

test.use({ files: { 'src/pay.ts': 'export const rate = 0.19;\n' } });

test.beforeEach(async ({ workbench, chat }) => {
  await workbench.storeKey(key);
  await chat.open();
});

test('a question is edited in place, and both branches stay, by keyboard, over a reload', async ({
  workbench,
  chat,
  service,
}) => {
  await chat.addContext('pay.ts');
  await expect(chat.chips).toHaveCount(1);
  await chat.ask('Hello about lighthouses');
  await chat.becomes('complete');
  await chat.ask('And the second question');
  await expect(chat.turns).toHaveCount(2);
  await chat.becomes('complete');

  // Esc closes the editor, and the focus returns to its earlier place.
  const pencil = chat.turns.first().getByTestId('edit');
  await pencil.focus();
  await expect(pencil).toHaveCSS('opacity', '1');
  await pencil.press('Enter');
  await expect(chat.editor).toBeFocused();
  await expect(chat.editor).toHaveValue('Hello about lighthouses');
  await chat.editor.fill('never sent');
  await chat.editor.press('Escape');
  await expect(pencil).toBeFocused();
  await expect(chat.turns.first()).toContainText('Hello about lighthouses');

  await pencil.press('Enter');
  await expect(chat.editChips).toHaveText(['src/pay.ts']);
  await chat.editor.fill('Hello about harbours');
  await chat.editor.press('Enter');
  await expect(chat.turns).toHaveCount(1);
  await expect(chat.composer).toBeFocused();
  await chat.becomes('complete');
  await expect(chat.answers.last()).toContainText('harbours');
  await expectChats(service, 3);
  expect(service.chats[2]?.body).toContain('export const rate');
  expect(service.chats[2]?.body).not.toContain('lighthouses');

  await expect(chat.branches).toContainText('2/2');
  const older = chat.branches.getByRole('button', { name: 'Older version' });
  await older.focus();
  await older.press('Enter');
  await expect(chat.turns).toHaveCount(2);
  await expect(chat.answers.first()).toContainText('lighthouses');
  await expect(chat.branches).toContainText('1/2');
  // The focused button still exists, although it is disabled now.
  await expect(older).toBeFocused();
  await expect(older).toHaveAttribute('aria-disabled', 'true');
  await expect(chat.frame.getByRole('status')).toContainText(['Showing version 1/2 of the question.']);

  // The next request contains the branch that is shown.
  await chat.ask('A third');
  await expect(chat.turns).toHaveCount(3);
  await chat.becomes('complete');
  expect(service.chats[3]?.body).toContain('lighthouses');
  expect(service.chats[3]?.body).not.toContain('harbours');

  // Without the command, VS Code may not have stored yet that the question is no longer being edited.
  await workbench.reloadByCommand();
  await chat.open();
  await expect(chat.turns).toHaveCount(3);
  await chat.branches.getByRole('button', { name: 'Newer version' }).click();
  await expect(chat.turns).toHaveCount(1);
  await expect(chat.answers.last()).toContainText('harbours');

  // The history also finds text in a branch that is not shown.
  await workbench.run('Svc: Show History');
  await workbench.input.fill('second question');
  await expect(workbench.quickPick).toHaveCount(1);
  await workbench.input.press('Escape');
});

test('an open editor waits for the running answer, and survives hiding the view and a reload', async ({
  workbench,
  chat,
  service,
}) => {
  await chat.ask('Hello about lighthouses');
  await chat.becomes('complete');
  const held = service.holdChunks();
  await chat.ask('Another');
  held.release(3);
  await chat.becomes('streaming');
  await chat.turns.first().hover();
  await chat.turns.first().getByTestId('edit').click();
  await chat.editor.fill('Hello about harbours');
  await chat.editor.press('Enter');
  await expect(chat.turns.first()).toContainText('Wait until the current answer is complete.');
  await expectChats(service, 2);
  // Esc first applies to the editor, then to the answer.
  await chat.editor.press('Escape');
  await expect(chat.editor).toHaveCount(0);
  await chat.becomes('streaming');
  await chat.turns.first().getByTestId('edit').click();
  await chat.editor.fill('Hello about harbours');

  await workbench.run('View: Toggle Secondary Side Bar Visibility');
  await expect(chat.composer).toBeHidden();
  await chat.open();
  await expect(chat.editor).toHaveValue('Hello about harbours');
  held.release();
  await chat.becomes('complete');
  await workbench.reloadByCommand();
  await chat.open();
  await expect(chat.editor).toHaveValue('Hello about harbours');
  await chat.editor.press('Enter');
  await expect(chat.turns).toHaveCount(1);
  await chat.becomes('complete');
  await expect(chat.answers.last()).toContainText('harbours');
});

test('an answer stopped inside code continues in the same block; a complete one can be requested again', async ({
  chat,
  service,
}) => {
  const held = service.holdChunks();
  await chat.ask('Write a function isPrime in TypeScript');
  const code = chat.answers.last().locator('pre');
  // Into the function, of 75 pieces.
  held.release(42);
  await expect(code).toContainText('function isPrime');
  await chat.stop.click();
  await chat.becomes('stopped');
  held.release();
  const before = (await code.innerText()).trim();
  await chat.turns.last().getByRole('button', { name: 'Continue Answer' }).click();
  await chat.becomes('complete');
  expect(service.chats[1]?.json).toMatchObject({
    messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'user' }],
  });
  await expect.poll(async () => (await code.first().innerText()).length).toBeGreaterThan(before.length);
  expect(await code.first().innerText()).toContain(before);

  await chat.turns.last().getByRole('button', { name: 'Ask Again' }).click();
  await expect(chat.branches).toContainText('2/2');
  await chat.becomes('complete');
  expect(service.chats[2]?.json).toMatchObject({ messages: [{ role: 'user' }] });
});

test.describe('with a posture', () => {
  const settings = { 'svc.compliance.securityLevel': 'maximum', 'svc.compliance.audit': true };
  test.use({ workspaceSettings: settings });

  test('the line under an answer shows how it ended, its model and usage; headers and request id are on demand', async ({
    workbench,
    chat,
    service,
  }) => {
    const line = (): Locator => chat.turns.last().getByTestId('footer');
    service.enqueue('cut-mid-stream');
    await chat.ask('Hello');
    await chat.becomes('interrupted');
    await expect(line()).toHaveText('svc/auto');
    const details = chat.turns.last().getByTestId('receipt');
    await expect(details.locator('summary')).toHaveText('Request Details');
    await details.locator('summary').click();
    await expect(details.locator('tbody tr')).toHaveText([
      /^Svc-Security-Level\s*maximum/,
      /^Svc-Audit-Enabled\s*true/,
    ]);
    await expect(details).toContainText(/Request ID\s*\S+/);
    workbench.writeWorkspaceSettings({ ...settings, 'svc.model.chat': 'svc/enterprise-coder-v1' });
    await expect(chat.model).toContainText('svc/enterprise-coder-v1');
    await chat.ask('Hello');
    await expect(chat.turns).toHaveCount(2);
    await chat.becomes('complete');
    await expect(line()).toHaveText(/^svc\/enterprise-coder-v1 · \d+ tokens$/);
  });
});

test('Ctrl+F in the panel searches the conversation, not the file in the editor', async ({ workbench, chat }) => {
  await workbench.openFile('pay.ts');
  await chat.open();
  await chat.ask('Hello about lighthouses');
  await chat.becomes('complete');
  await chat.composer.press('Control+F');
  const find = chat.frame.getByTestId('find-text');
  await expect(find).toBeFocused();
  await find.fill('LIGHTHOUSES');
  await expect(chat.frame.getByTestId('find-count')).toHaveText(/^1 of \d+$/);
  await expect(workbench.page.locator('.find-widget.visible')).toHaveCount(0);
  await find.press('Escape');
  await expect(chat.frame.getByTestId('find')).toHaveCount(0);
  await expect(chat.composer).toBeFocused();
});
