import { expect, expectChats, key, test } from '../fixtures.ts';
import { saying } from '../saying.ts';

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

const longLine = `one('${'a long argument '.repeat(30)}');`;

test.describe('above each change of a proposal', () => {
  test.use({ files: { 'src/calls.ts': `one();\nkeep();\n${longLine}\nkeep();\none();\n` } });

  test('Accept and Reject are clicked, inline and side by side, and apply to that change', async ({ workbench }) => {
    const { page } = workbench;
    await workbench.openFile('calls.ts');
    await workbench.run('Svc: Edit Code…');
    await workbench.answer('rename one to uno');
    const above = page.locator('.monaco-diff-editor .modified .codelens-decoration');
    const action = (change: string, name: string) => above.filter({ hasText: change }).locator('a', { hasText: name });
    // VS Code asks for them with a delay that grows with the time that the CodeLens of other documents took.
    await expect(above).toHaveCount(3, { timeout: 120_000 });
    await expect(above).toContainText(['Change 1 of 3', 'Change 2 of 3', 'Change 3 of 3']);
    const accept = action('Change 2 of 3', 'Accept');
    await expect(accept).toHaveAttribute('title', 'Accept this change. Key at the cursor: Alt+Y');
    await expect(action('Change 2 of 3', 'Reject')).toBeInViewport({ ratio: 1 });
    await workbench.shoot('proposal-lenses-inline');
    await workbench.clickUntil(accept, above.filter({ hasText: 'Change 2 of 3' }), 'hidden');
    await expect(above).toContainText(['Change 1 of 2', 'Change 2 of 2'], { timeout: 120_000 });

    await page.setViewportSize({ width: 2000, height: 800 });
    await expect(page.locator('.monaco-diff-editor.side-by-side')).toBeVisible();
    await expect(action('Change 2 of 2', 'Reject')).toBeInViewport({ ratio: 1 });
    await workbench.shoot('proposal-lenses-side-by-side');
    const last = above.filter({ hasText: 'Change 2 of 2' });
    await workbench.clickUntil(action('Change 2 of 2', 'Reject'), last, 'hidden');
    await expect(above).toContainText(['Change 1 of 1'], { timeout: 120_000 });
    const proposal = page.locator('.tab.active').filter({ hasText: 'Changes to' });
    await workbench.clickUntil(action('Change 1 of 1', 'Accept'), proposal, 'hidden');
    const wanted = ['uno();', 'keep();', longLine.replace('one', 'uno'), 'keep();', 'one();', ''];
    await expect.poll(() => workbench.editorText()).toBe(wanted.join('\n'));
  });
});

test.describe('where the user has turned off diffEditor.codeLens', () => {
  test.use({
    userSettings: { 'diffEditor.codeLens': false },
    files: { 'src/calls.ts': `${longLine}\nconst one = 1;\n` },
  });

  test('a hint beside the change names the keys and the hover has the actions', async ({ workbench }) => {
    const { page } = workbench;
    await workbench.openFile('calls.ts');
    await workbench.run('Svc: Edit Code…');
    await workbench.answer('rename one to uno');
    const modified = page.locator('.monaco-diff-editor .modified');
    // Not after the long line, where it would be cut.
    const line = modified.locator('.view-line').filter({ hasText: /const.uno/ });
    const hint = line.locator('[class*="ced-"][class*="TextEditorDecorationType"]').last();
    await expect
      .poll(() => hint.evaluate((node) => getComputedStyle(node, '::after').content))
      .toContain('1 of 1 · Accept Alt+Y · Reject Alt+N');
    await workbench.shoot('proposal-hint');
    await expect(modified.locator('.codelens-decoration')).toHaveCount(0);
    const link = page.locator('.monaco-hover a', { hasText: 'Accept Change (Alt+Y)' });
    await expect(async () => {
      await page.mouse.move(0, 0);
      await line.locator('span span').first().hover({ timeout: 5_000 });
      await link.click({ timeout: 5_000 });
      await expect(page.locator('.tab.active')).not.toContainText('Changes to', { timeout: 10_000 });
    }).toPass();
    await expect.poll(() => workbench.editorText()).toContain('const uno = 1;');
  });
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

test('the whole code is asked for, once, if the place of an answer is unclear, and the user can cancel that', async ({
  workbench,
  chat,
  service,
}) => {
  const { page } = workbench;
  await workbench.openFile('pay.ts');
  await chat.open();
  await chat.leaveComposer();
  const edit = async (): Promise<void> => {
    await workbench.openFile('pay.ts');
    await workbench.run('Svc: Edit Code…');
    await workbench.answer('rename one to uno');
  };
  service.clear();
  service.enqueue('code-unplaced', 'hang');
  await edit();
  await expect(chat.messages).toContainText('Asking for the whole code…');
  await expect(page.locator('.monaco-diff-editor .modified .view-line').filter({ hasText: 'unplaced' })).toHaveCount(0);
  await workbench.shoot('asking-for-whole-code');
  await expectChats(service, 2);
  await chat.messages.getByRole('button', { name: 'Cancel' }).click();
  await expect(chat.messages).toHaveCount(0);
  await expect(page.locator('.tab').filter({ hasText: 'Changes to' })).toHaveCount(0);

  service.enqueue('code-unplaced');
  await edit();
  await workbench.decide('Accept All');
  await expect.poll(() => workbench.editorText()).toBe('uno();\ntwo();\nuno();\n');
  await expectChats(service, 4);

  // The same for code of the panel.
  await chat.open();
  service.enqueue('code-unplaced');
  await chat.ask('Write a function isPrime in TypeScript in src/pay.ts');
  await chat.becomes('complete');
  await chat.code.last().getByRole('button', { name: 'Apply to File' }).click();
  await workbench.decide('Accept All');
  await expect.poll(() => workbench.editorText()).toContain('function unplaced() {}');
  await expectChats(service, 6);
});

test.describe('all code of an answer', () => {
  const pay = 'export function pay() {\n  return 1;\n}\n';
  test.use({ files: { 'src/pay.ts': pay, 'src/card.ts': 'card();\n' } });

  test('is one diff a file, each decided in turn, and what has no place is named and asked for', async ({
    workbench,
    chat,
    service,
  }) => {
    const { page } = workbench;
    const changed = pay.replace('1', '2');
    const lost = '<<<<<<< SEARCH\nlost();\n=======\nfound();\n>>>>>>> REPLACE\n';
    const answer = [
      `All of it:\n\n\`\`\`ts src/pay.ts\n${changed}\`\`\``,
      '```ts title="src/new/fresh.ts"\nexport const fresh = 1;\n```',
      `**src/card.ts**\n\n\`\`\`ts\n${lost}\`\`\`\n`,
    ].join('\n\n');
    await chat.newChat();
    service.enqueue(saying(answer));
    await chat.ask('Pay two, and add a fresh file');
    await chat.becomes('complete');
    await chat.turns.last().getByRole('button', { name: 'Apply All to Files' }).click();
    const tab = page.locator('.tab.active');
    await expect(tab).toContainText('Changes to pay.ts');
    await expect(page.locator('.tab').filter({ hasText: 'Changes to' })).toHaveCount(2);
    const message = chat.messages.filter({ hasText: 'src/card.ts was not changed: Its place is unclear.' });
    await expect(message).toHaveCount(1);
    await expect(chat.messages.filter({ hasText: 'Diffs are open for src/pay.ts, src/new/fresh.ts.' })).toHaveCount(1);
    expect([workbench.readFile('src/pay.ts'), workbench.readFile('src/new/fresh.ts')]).toEqual([pay, undefined]);
    await workbench.shoot('apply-all');

    // The next diff is in front once the first is decided. A key that was meant for the first does not decide it.
    await workbench.clickUntil(
      page.getByRole('button', { name: 'Accept All' }),
      tab.filter({ hasText: 'Changes to fresh.ts' }),
    );
    // VS Code shows both diffs in the same editor, which has the focus before it has the next diff.
    const focused = page.locator('.monaco-diff-editor .monaco-editor.focused');
    await focused.filter({ hasText: 'fresh' }).filter({ hasText: 'Change 1 of 1' }).waitFor();
    await page.keyboard.press('Control+Enter');
    await expect(chat.messages.filter({ hasText: 'Choose again to accept or reject these.' })).toHaveCount(1);
    expect(workbench.readFile('src/new/fresh.ts')).toBeUndefined();
    await workbench.decide('Accept All');
    await expect.poll(() => workbench.readFile('src/new/fresh.ts')).toBe('export const fresh = 1;\n');
    await workbench.openFile('pay.ts');
    await expect.poll(() => workbench.editorText()).toBe(changed);
    expect(workbench.readFile('src/card.ts')).toBe('card();\n');

    service.clear();
    service.enqueue(
      saying(
        '```ts src/card.ts\n<<<<<<< SEARCH\ncard();\n=======\nfound();\n>>>>>>> REPLACE\n```\n\n```ts src/new/fresh.ts\nexport const fresh = 2;\n```\n',
      ),
    );
    await message.getByRole('button', { name: 'Ask for the Whole Code' }).click();
    await chat.becomes('complete');
    await expectChats(service, 1);
    expect(service.chats[0]?.body).toContain('Give the whole text of src/card.ts with this change');

    // The command does the same as the button.
    await workbench.run('Svc: Apply All Code of the Last Answer to Files');
    await expect(tab).toContainText('Changes to card.ts');
    await workbench.clickUntil(
      page.getByRole('button', { name: 'Reject All' }),
      tab.filter({ hasText: 'Changes to fresh.ts' }),
    );
    await workbench.decide('Reject All');
    expect(workbench.readFile('src/card.ts')).toBe('card();\n');
  });
});

test('a file that controls what runs requires a second confirmation', async ({ workbench, chat }) => {
  const { page } = workbench;
  await chat.open();
  await chat.ask('Write a function isPrime in TypeScript in .vscode/launch.json');
  await chat.becomes('complete');
  await chat.code.last().getByRole('button', { name: 'Apply to File' }).click();
  await workbench.answerDialog('Show a Diff');
  await expect(page.locator('.tab.active')).toContainText('Changes to launch.json');
  const accept = page.getByRole('button', { name: 'Accept All' });
  const dialog = page.locator('.monaco-dialog-box');
  await workbench.clickUntil(accept, dialog);
  await workbench.answerDialog('Cancel');
  expect(workbench.readFile('.vscode/launch.json')).toBeUndefined();
  await workbench.clickUntil(accept, dialog);
  await workbench.answerDialog('Write It');
  await expect(page.locator('.tab.active')).not.toContainText('Changes to');
  await expect.poll(() => workbench.editorText()).toContain('isPrime');
});
