import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, expectChats, key, test } from '../fixtures.ts';

const source = `export function total(items: readonly number[]): number {
  return items.length;
}
`;

test.describe('writing code', () => {
  test.use({ files: { 'src/pay.ts': source } });

  test.beforeEach(async ({ workbench, chat }) => {
    await workbench.storeKey(key);
    // What is under way, and what fails, is shown there: VS Code's messages would cover the composer.
    await chat.open();
    await workbench.openFile('pay.ts');
  });

  test('stops if the user cancels it while it streams', async ({ workbench, service }) => {
    const { page } = workbench;
    const held = service.holdChunks();
    await workbench.run('Svc: Edit Code…');
    await workbench.answer('rename total to sum');
    held.release(5);
    await expect(page.locator('.monaco-diff-editor .editor.modified')).toContainText('sum');
    const progress = workbench.panelMessage('Svc is writing code…');
    await expect(progress.getByRole('button')).toHaveText(['Cancel']);
    await expect(workbench.notification('Svc is writing code…')).toHaveCount(0);
    await progress.getByRole('button', { name: 'Cancel' }).click();
    await expect(progress).toHaveCount(0);
    await expect(page.locator('.tab').filter({ hasText: 'Changes to' })).toHaveCount(0);
    await service.waitForNoSockets();
    await expect.poll(() => workbench.editorText()).toBe(source);
  });

  test('stops if the service fails, with a message and actions', async ({ workbench, service }) => {
    const { page } = workbench;
    service.enqueue('forbidden');
    await workbench.run('Svc: Edit Code…');
    await workbench.answer('rename total to sum');
    const failure = workbench.panelMessage('Your API key has no permission for this');
    await expect(failure).toBeVisible();
    await expect(page.locator('.tab').filter({ hasText: 'Changes to' })).toHaveCount(0);
    await expect.poll(() => workbench.editorText()).toBe(source);
    const written = page.locator('.monaco-diff-editor .editor.modified').filter({ hasText: 'sum' });
    await workbench.clickUntil(failure.getByRole('button', { name: 'Retry' }), written);
  });

  test('continues after a delay that the service asked for, counted down, with a link that skips it', async ({
    workbench,
    service,
  }) => {
    const { page } = workbench;
    // The longest wait: it must not end before the link is clicked.
    service.setScenario('rate-limit', { retryAfterSeconds: 60, times: 1 });
    await workbench.run('Svc: Edit Code…');
    await workbench.answer('rename total to sum');
    const progress = workbench.panelMessage('Svc is writing code…');
    await expect(progress).toContainText(/asked to wait 60 s\. Retrying in \d+ s/);
    await expect(progress.getByRole('button')).toHaveText(['Retry Now', 'Cancel']);
    const written = page.locator('.monaco-diff-editor .editor.modified').filter({ hasText: 'sum' });
    await workbench.clickUntil(progress.getByRole('button', { name: 'Retry Now' }), written);
    await expectChats(service, 2);
  });

  test('ends a proposal with its window', async ({ workbench }) => {
    const { page } = workbench;
    await workbench.run('Svc: Edit Code…');
    await workbench.answer('rename total to sum');
    await expect(page.getByRole('button', { name: 'Accept All' })).toBeEnabled();
    await workbench.reloadByCommand();
    await expect(page.locator('.tab').filter({ hasText: 'pay.ts' })).toHaveCount(1);
    await expect(page.locator('.tab').filter({ hasText: 'Changes to' })).toHaveCount(0);
    expect(workbench.readFile('src/pay.ts')).toBe(source);
  });

  test('adds documentation: accepted it is in the file, and one undo reverts it', async ({ workbench }) => {
    const { page } = workbench;
    await workbench.run('Svc: Document Code');
    await expect(page.locator('.tab.active')).toContainText('Changes to pay.ts');
    await workbench.decide('Accept All');
    await expect.poll(() => workbench.editorText()).toContain('/** The function total.');
    await workbench.focusedEditor.waitFor();
    await page.keyboard.press('Control+Z');
    await expect.poll(() => workbench.editorText()).toBe(source);
  });

  test('adds tests beside the source, in a new file that is shown before it exists', async ({ workbench }) => {
    const { page } = workbench;
    await workbench.run('Svc: Generate Tests');
    await expect(page.locator('.tab.active')).toContainText('Changes to pay.test.ts');
    await expect(page.locator('.monaco-diff-editor .line-insert').first()).toBeVisible();
    expect(workbench.readFile('src/pay.test.ts')).toBeUndefined();
    await workbench.decide('Accept All');
    await expect.poll(() => workbench.readFile('src/pay.test.ts')).toContain("import { total } from './pay';");
    await expect(page.locator('.tab.active')).toHaveText('pay.test.ts');
  });

  // The last one: it leaves an editor with changes.
  test('does not change a file whose text changed in the meantime', async ({ workbench }) => {
    const { page } = workbench;
    await workbench.run('Svc: Edit Code…');
    await workbench.answer('rename total to sum');
    await expect(page.getByRole('button', { name: 'Accept All' })).toBeEnabled();
    await workbench.openFile('pay.ts');
    await page.keyboard.press('Control+Home');
    await page.keyboard.insertText('0;\n');
    await expect.poll(() => workbench.editorText()).toBe(`0;\n${source}`);
    const proposal = page.locator('.tab').filter({ hasText: 'Changes to pay.ts' });
    await workbench.clickUntil(proposal, proposal.and(page.locator('.active')));
    await page.getByRole('button', { name: 'Accept All' }).click();
    await workbench.heard('The file changed after this diff was created');
    await workbench.decide('Reject All');
    await expect(page.locator('.tab').filter({ hasText: 'Changes to' })).toHaveCount(0);
    await expect.poll(() => workbench.editorText()).toBe(`0;\n${source}`);
  });
});

test.describe('the terminal', () => {
  // Rendered as text, which a test can wait for.
  test.use({ workspaceSettings: { 'terminal.integrated.gpuAcceleration': 'off' } });

  test('is explained if text is selected in it', async ({ workbench, chat, service }) => {
    const { page } = workbench;
    await workbench.storeKey(key);
    await workbench.run('Terminal: Create New Terminal');
    const terminal = page.locator('.terminal-wrapper').filter({ visible: true });
    const rows = terminal.locator('.xterm-rows');
    // What is typed before the prompt and the focus are there is lost.
    await expect(rows).toContainText(/[#$%>]\s*$/);
    await workbench.clickUntil(terminal, terminal.locator('.xterm-rows.xterm-focus'));
    await page.keyboard.type('ls no-such-invoice');
    await expect(rows).toContainText('ls no-such-invoice');
    await page.keyboard.press('Enter');
    await expect(rows).toContainText('cannot access');
    await workbench.run('Terminal: Select All');
    await workbench.run('Svc: Explain Terminal Selection');
    await chat.becomes('complete');
    expect(service.chats[0]?.body).toContain('cannot access');
  });
});

test.describe('problems', () => {
  test.use({ files: { 'src/rates.json': '{ "isOpen": true;; }\n' } });

  test('are sent along from the light bulb, and the fix is a proposal', async ({ workbench, service }) => {
    const { page } = workbench;
    await workbench.storeKey(key);
    await workbench.openFile('rates.json');
    await expect(page.locator('.squiggly-error').first()).toBeVisible();
    await workbench.run('Go to Next Problem in Files');
    await workbench.quickFix('Fix with Svc');
    await expect(page.locator('.tab.active')).toContainText('Changes to rates.json');
    await workbench.decide('Accept All');
    await expect.poll(() => workbench.editorText()).toBe('{ "isOpen": true; }\n');
    expect(service.chats[0]?.body).toMatch(/Fix these problems:.*line 1: Value expected/);
  });
});

test.describe('a commit message', () => {
  test.use({ takesWindow: false, leavesWindow: false, files: { 'src/pay.ts': source } });

  test.beforeEach(({ folder }) => {
    const workspace = join(folder, 'workspace');
    mkdirSync(join(workspace, 'src'), { recursive: true });
    writeFileSync(join(workspace, 'src/pay.ts'), 'export const nothing = 0;\n');
    for (const args of [
      ['init', '-q'],
      ['add', '.'],
      ['commit', '-q', '-m', 'feat: begin'],
    ]) {
      execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], { cwd: workspace });
    }
  });

  test('is written into the input box of Source Control, for the user to commit', async ({ workbench }) => {
    const { page } = workbench;
    await workbench.storeKey(key);
    const box = await workbench.openSourceControl();
    // VS Code has a button of its own, which sends elsewhere.
    const button = page.getByRole('button', { name: 'Generate Commit Message with Svc' });
    await expect(button).toHaveCount(1);
    await workbench.clickUntil(button, box.filter({ hasText: 'chore: change pay.ts' }));
    await workbench.shoot('commit-message');
  });

  test('a commit message from the palette is followed by a note in the panel that names its place, until the next action', async ({
    workbench,
    chat,
  }) => {
    await workbench.storeKey(key);
    await chat.open();
    await workbench.run('Svc: Generate Commit Message with Svc');
    const words = 'Nothing is staged: the message for all changes is in the input box of Source Control.';
    const note = workbench.panelMessage(words);
    await expect(note).toBeVisible();
    await expect(chat.said).toContainText(words);
    await expect(workbench.notification(/./).filter({ hasText: 'Source Control' })).toHaveCount(0);
    await workbench.shoot('note');
    await note.getByRole('button', { name: 'Show in Source Control' }).click();
    await expect(workbench.page.locator('.scm-editor')).toContainText('chore: change pay.ts');
    await expect(note).toHaveCount(0);

    await workbench.run('View: Close All Editors');
    await workbench.run('Svc: Explain Code');
    const hint = workbench.panelMessage('Open a file to explain its code.');
    await expect(hint).toBeVisible();
    await expect(hint.getByRole('button')).toHaveCount(1);
    await chat.ask('Hello');
    await expect(hint).toHaveCount(0);
    await chat.becomes('complete');
    // While the panel is hidden, VS Code shows it.
    await workbench.run('View: Toggle Secondary Side Bar Visibility');
    await expect(chat.composer).toBeHidden();
    await workbench.run('Svc: Explain Code');
    await expect(workbench.notification('Open a file to explain its code.')).toBeVisible();
  });
});
