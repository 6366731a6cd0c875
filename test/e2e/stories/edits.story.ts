import { expect, key, test } from '../fixtures.ts';

const source = 'one();\ntwo();\none();\n';

test.use({ files: { 'src/pay.ts': source, '.vscode/tasks.json': '{}\n' } });

test.beforeEach(async ({ workbench }) => workbench.storeKey(key));

test('code of an incomplete answer can be copied, but not applied', async ({ workbench, chat, service }) => {
  await workbench.openFile('pay.ts');
  await chat.open();
  service.setScenario('cut-mid-stream', { afterDeltas: 24 });
  await chat.ask('Write a function isPrime in TypeScript in src/prime.ts');
  await chat.becomes('interrupted');
  const block = chat.code.last();
  await expect(block).toContainText('This code is incomplete');
  const apply = block.getByRole('button', { name: 'Apply to File: This code is incomplete' });
  await expect(apply).toHaveAttribute('aria-disabled', 'true');
  await apply.click({ force: true });
  await expect(block.getByRole('button', { name: 'Copy Code' })).toBeEnabled();
  await expect(workbench.page.locator('.tab.active')).not.toContainText('Changes to');
});

test('one change of a proposal is accepted and the other rejected, in the diff, by button and by key', async ({
  workbench,
}) => {
  const { page } = workbench;
  await workbench.openFile('pay.ts');
  await workbench.run('Svc: Edit Code…');
  await workbench.answer('rename one to uno');
  const changed = page.locator('.monaco-diff-editor .modified .view-line').filter({ hasText: 'uno' });
  await expect(changed).toHaveCount(2);
  const reject = page.getByRole('button', { name: 'Reject Change' });
  await expect(reject).toBeEnabled();
  await workbench.shoot('proposal-hunks');
  await workbench.clickUntil(reject, changed.nth(1), 'hidden');
  await expect(changed).toHaveCount(1);
  await page
    .locator('.monaco-diff-editor .modified .monaco-editor.focused, .monaco-diff-editor .modified.focused')
    .waitFor();
  const diff = page.locator('.tab.active').filter({ hasText: 'Changes to' });
  // A key that comes before the first decision is complete does nothing.
  await expect(async () => {
    if (await diff.isVisible()) await page.keyboard.press('Alt+Y');
    await expect(diff).toHaveCount(0, { timeout: 10_000 });
  }).toPass({ timeout: 120_000 });
  await expect.poll(() => workbench.editorText()).toBe('one();\ntwo();\nuno();\n');
  await page.locator('.editor-instance:visible .monaco-editor.focused').waitFor();
  await page.keyboard.press('Control+Z');
  await expect.poll(() => workbench.editorText()).toBe(source);
});

test('code of an answer is applied to the file it names, as a diff first', async ({ workbench, chat }) => {
  const { page } = workbench;
  await chat.open();
  await chat.ask('Write a function isPrime in TypeScript in src/prime.ts');
  await chat.becomes('complete');
  const block = chat.code.last();
  await expect(block).toContainText('src/prime.ts');
  await block.getByRole('button', { name: 'Apply to File' }).click();
  await expect(page.locator('.tab.active')).toContainText('Changes to prime.ts');
  await expect(page.locator('.monaco-diff-editor .line-insert').first()).toBeVisible();
  expect(workbench.readFile('src/prime.ts')).toBeUndefined();
  await workbench.decide('Accept All');
  await expect.poll(() => workbench.readFile('src/prime.ts')).toContain('function isPrime');

  // At the cursor of the active file it is a diff first, too; copied code is unchanged.
  await workbench.openFile('pay.ts');
  await block.getByRole('button', { name: 'Insert at Cursor' }).click();
  await expect(page.locator('.tab.active')).toContainText('Changes to pay.ts');
  await workbench.decide('Reject All');
  expect(workbench.readFile('src/pay.ts')).toBe(source);
  await block.getByRole('button', { name: 'New File' }).click();
  await expect(page.locator('.tab.active')).toContainText('Untitled');
  await expect.poll(() => workbench.editorText()).toContain('function isPrime');
});

test('a file that controls what runs requires a second confirmation', async ({ workbench, chat }) => {
  const { page } = workbench;
  await chat.open();
  await chat.ask('Write a function isPrime in TypeScript in .vscode/tasks.json');
  await chat.becomes('complete');
  await chat.code.last().getByRole('button', { name: 'Apply to File' }).click();
  await workbench.answerDialog('Show a Diff');
  await expect(page.locator('.tab.active')).toContainText('Changes to tasks.json');
  const accept = page.getByRole('button', { name: 'Accept All' });
  const dialog = page.locator('.monaco-dialog-box');
  await workbench.clickUntil(accept, dialog);
  await workbench.answerDialog('Cancel');
  expect(workbench.readFile('.vscode/tasks.json')).toBe('{}\n');
  await workbench.clickUntil(accept, dialog);
  await workbench.answerDialog('Write It');
  await expect(page.locator('.tab.active')).not.toContainText('Changes to');
  await expect.poll(() => workbench.editorText()).toContain('isPrime');
});
