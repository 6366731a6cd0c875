// A back end that refuses what the strictest services refuse: every feature works against it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BuiltInChat } from '../builtInChat.ts';
import { expect, expectChats, key, test } from '../fixtures.ts';

const lines = (word: string, count: number): string =>
  Array.from({ length: count }, (_, at) => `export const ${word}${at} = ${at};`).join('\n');
const source = `export function total(items: readonly number[]): number {
  return items.length;
}
`;

test.use({
  userSettings: {
    'svc.compliance.frameworks': ['pci-dss'],
    'svc.tools.enabled': true,
    'editor.quickSuggestions': { other: 'off' },
    '[typescript]': { 'svc.inlineCompletions.enabled': true },
  },
  files: {
    'src/pay.ts': source,
    'src/big.ts': lines('pay', 400),
    'src/tax.ts': lines('tax', 240),
    'src/a.ts': 'const a = 1;\n\n',
  },
  // The window learns what the model reads.
  takesWindow: false,
  leavesWindow: false,
});

test('questions, tools and a conversation that is too long, in roles that alternate and 4,000 tokens', async ({
  workbench,
  chat,
  service,
}) => {
  await workbench.storeKey(key);
  await chat.open();
  service.setScenario('strict', { strictRules: ['roles', 'tools', 'window'] });
  await chat.ask('Please read the file src/pay.ts');
  await chat.toolButton('allow-conversation').click();
  await chat.becomes('complete');
  await expect(chat.answers.last()).toContainText('items.length');
  await chat.ask('And now?');
  await chat.becomes('complete');

  // Without tools, the call and its result of the first turn are text.
  await chat.tools.click();
  await workbench.check('Use tools', false);
  await workbench.acceptChecked();
  await expect(chat.tools).toHaveAccessibleName('Tools: off');
  await chat.ask('And without tools?');
  await chat.becomes('complete');
  const body = service.chats.at(-1)?.body ?? '';
  expect(body).not.toContain('"role":"tool"');
  expect(body).toContain('[called read_file]');
  await expectChats(service, 4);

  // Two files together are more than it reads: the first is left out, and the number can be corrected where it is shown.
  const about = async (name: string): Promise<void> => {
    await chat.addContext(name);
    await expect(chat.chips.last()).toContainText(name);
    await chat.ask(`What is in ${name}?`);
    await chat.becomes('complete');
  };
  await about('big.ts');
  // Attachments of the last turn before a question are kept.
  await chat.ask('Is that all?');
  await chat.becomes('complete');
  await about('tax.ts');
  await expect(chat.cards.last()).toContainText('svc/auto reads about 4,000 tokens at most');
  await expect(chat.cards.last()).toContainText('Set the Model’s Window');
  await workbench.shoot('strict-window');
});

test('code is explained, edited, completed and reviewed', async ({ workbench, chat, service }) => {
  await workbench.storeKey(key);
  await chat.open();
  service.setScenario('strict');
  await workbench.openFile('pay.ts');
  await workbench.run('Svc: Explain Code');
  await chat.becomes('complete');
  await workbench.run('Svc: Edit Code…');
  await workbench.answer('rename total to sum');
  await expect(workbench.page.locator('.monaco-diff-editor .editor.modified')).toContainText('sum');
  await workbench.decide('Reject All');
  await workbench.run('Svc: Review File for Compliance');
  await expect(workbench.reviewItem).toContainText('Review complete');

  await workbench.openFile('a.ts');
  const { keyboard } = workbench.page;
  await keyboard.press('Control+End');
  await keyboard.insertText('export function factorial');
  await expect(workbench.page.locator('.editor-instance .ghost-text-decoration, .ghost-text').first()).toBeVisible();
  await workbench.run('View: Revert and Close Editor');
});

test.describe('in a repository', () => {
  test.use({ files: { 'src/pay.ts': source, 'src/rates.json': '{ "isOpen": true;; }\n' } });

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

  test('code is generated, documented, tested and fixed, and a commit is described', async ({ workbench, service }) => {
    const { page } = workbench;
    await workbench.storeKey(key);
    service.setScenario('strict');
    const inserted = page.locator('.monaco-diff-editor .line-insert').first();
    await workbench.openFile('pay.ts');
    await workbench.run('Svc: Generate Code…');
    await workbench.answer('a function that adds two numbers');
    await expect(inserted).toBeVisible();
    await workbench.decide('Reject All');
    await workbench.openFile('pay.ts');
    await workbench.run('Svc: Document Code');
    await expect(page.locator('.tab.active')).toContainText('Changes to pay.ts');
    await workbench.decide('Reject All');
    await workbench.openFile('pay.ts');
    await workbench.run('Svc: Generate Tests');
    await expect(page.locator('.tab.active')).toContainText('Changes to pay.test.ts');
    await workbench.decide('Reject All');
    await workbench.openFile('rates.json');
    await expect(page.locator('.squiggly-error').first()).toBeVisible();
    await workbench.run('Go to Next Problem in Files');
    await workbench.quickFix('Fix with Svc');
    await expect(page.locator('.tab.active')).toContainText('Changes to rates.json');
    await workbench.decide('Reject All');
    const box = await workbench.openSourceControl();
    await workbench.run('Svc: Generate Commit Message with Svc');
    await expect(box).toContainText('chore: change');
  });
});

test('VS Code’s own chat and @svc, in roles that alternate', async ({ workbench, service }) => {
  const builtIn = new BuiltInChat(workbench);
  await workbench.storeKey(key);
  await builtIn.enable();
  await builtIn.open();
  service.setScenario('strict-roles');
  await builtIn.ask('What can you do?');
  await expect(builtIn.answers.last()).toContainText('not from a language model', { timeout: 60_000 });
  await builtIn.ask('@svc What else can you do?');
  await expect(builtIn.answers.last()).toContainText('Confirmed by the service');
});
