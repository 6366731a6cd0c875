// A back end that refuses what the strictest services refuse: every feature works against it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BuiltInChat } from '../builtInChat.ts';
import { expect, expectChats, key, test } from '../fixtures.ts';

const lines = (word: string, count: number): string =>
  Array.from({ length: count }, (_, at) => `export const ${word}${at} = ${at};`).join('\n');
const source = `export function total(items: readonly number[]): number {
  return items.length;
}
`;
/** VS Code has no language server for this language, which would report its own problems beside the review. */
const script = `// Takes card payments.
def total(String text) {
  return eval(text)
}
post('http://payments.example.com/charge')
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
    'src/pay.groovy': script,
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

  test('code is generated, documented, tested and fixed, and a commit is described', async ({
    workbench,
    chat,
    service,
  }) => {
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
    await workbench.run('Svc: Review Changes for Compliance');
    await expect(workbench.reviewItem).toContainText('Review complete');
    await chat.open();
    await chat.ask('/commit in one line');
    await chat.toolButton('allow-once').click();
    await chat.becomes('complete');
  });
});

test.describe('with another extension', () => {
  test.use({
    isAlone: true,
    otherExtension: 'test/integration/otherExtension',
    userSettings: { 'svc.tools.enabled': true, 'svc.tools.allowed': ['test_weather_report'] },
  });

  test('its tool is called', async ({ workbench, chat, service }) => {
    await workbench.storeKey(key);
    await chat.open();
    service.setScenario('strict');
    await chat.ask('Use test_weather_report for "Berlin"');
    await chat.toolButton('allow-once').click();
    await chat.becomes('complete');
    await expect(chat.answers.last()).toContainText('Rain in Berlin');
    expect(service.chats.at(-1)?.body).toContain('"role":"tool"');
  });
});

test.describe('with an MCP server', () => {
  test.use({
    isAlone: true,
    userSettings: {
      'svc.tools.enabled': true,
      'svc.tools.allowed': ['mcp_docs_docs_search'],
      'chat.mcp.autostart': 'newAndOutdated',
    },
    files: {
      '.vscode/mcp.json': JSON.stringify({
        servers: { docs: { type: 'stdio', command: process.execPath, args: [resolve('test/e2e/mcpServer.mjs')] } },
      }),
    },
  });

  test('its tool is called', async ({ workbench, chat, service }) => {
    await workbench.storeKey(key);
    await workbench.run('MCP: List Servers');
    await workbench.choose('docs');
    await workbench.choose('Start Server');
    // VS Code shows the server's output, and its tool is there.
    await expect(workbench.page.getByText('Discovered')).toBeVisible();
    await chat.open();
    service.setScenario('strict');
    await chat.ask('Use mcp_docs_docs_search for "refunds"');
    await chat.toolButton('allow-once').click();
    // VS Code asks for itself before it calls a tool of an MCP server.
    await workbench.answerDialog('Yes');
    await chat.becomes('complete');
    await expect(chat.answers.last()).toContainText('Documented: refunds');
    expect(service.chats.at(-1)?.body).toContain('"role":"tool"');
  });
});

test('each slash command', async ({ workbench, chat, service }) => {
  await workbench.storeKey(key);
  service.setScenario('strict');
  await workbench.openFile('pay.ts');
  await workbench.selectFirstLine();
  await chat.open();
  for (const name of ['explain', 'generate', 'fix', 'tests', 'docs', 'review']) {
    await chat.ask(`/${name} total`);
    await expect(chat.turns.last().getByTestId('prompt')).toHaveText(`/${name} total`);
    await chat.becomes('complete');
  }
  await expect(chat.turns).toHaveCount(6);
});

test.describe('in the panel', () => {
  // The terminal is rendered as text, which a test can wait for.
  test.use({ workspaceSettings: { 'terminal.integrated.gpuAcceleration': 'off', 'svc.context.maxTokens': 4000 } });

  test('a summary, the rest of an answer, code without a place, and the terminal', async ({
    workbench,
    chat,
    service,
  }) => {
    const { page } = workbench;
    await workbench.storeKey(key);
    await chat.open();
    service.setScenario('strict');
    await chat.ask('Hello');
    await chat.becomes('complete');

    service.enqueue('length');
    await chat.ask('What can you do?');
    await chat.becomes('complete');
    await expect(chat.frame.getByTestId('footer').last()).toContainText('stopped at the maximum length');
    await chat.frame.getByTestId('debug-continue').click();
    await chat.shows('complete');
    await expect(chat.frame.getByTestId('footer').last()).not.toContainText('stopped at the maximum length');

    // The answers fill the window; the summary has to fit, too.
    await chat.newChat();
    service.setScenario('big', { bigBytes: 5_000 });
    for (const [at, question] of ['My port is 9000.', 'Second?', 'Third?', 'Fourth?'].entries()) {
      await chat.ask(question);
      await expect(chat.turns).toHaveCount(at + 1);
      await chat.becomes(at < 3 ? 'complete' : 'failed');
    }
    service.setScenario('strict');
    await chat.action('summarize').click();
    await expect(chat.frame.getByTestId('summary-text')).toContainText('My port is 9000.');
    // The last two turns are as they were, and more than the window that the service has named: they are summarized, too.
    await expect(chat.cards).toContainText('the limit is 2,488');
    await workbench.shoot('strict-summary');
    await chat.action('summarize').click();
    await chat.becomes('complete');
    expect(service.chats.at(-1)?.body).toContain('My port is 9000.');

    // The further request for the whole code follows an answer.
    service.enqueue('code-unplaced');
    await workbench.openFile('pay.ts');
    await workbench.run('Svc: Edit Code…');
    await workbench.answer('rename total to sum');
    await expect(page.locator('.monaco-diff-editor .editor.modified')).toContainText('sum');
    expect(service.chats.at(-1)?.body).toContain('The code could not be placed');
    await workbench.decide('Reject All');

    // So it is when code of an answer in the panel is applied.
    await chat.newChat();
    service.enqueue('code-unplaced');
    await workbench.openFile('pay.ts');
    await chat.ask('Write a function isPrime in TypeScript in src/pay.ts');
    await chat.becomes('complete');
    await chat.code.last().getByRole('button', { name: 'Apply to File' }).click();
    await expect(page.locator('.tab.active')).toContainText('Changes to pay.ts');
    expect(service.chats.at(-1)?.body).toContain('The code could not be placed');
    await workbench.decide('Reject All');

    await chat.newChat();
    await workbench.run('Terminal: Create New Terminal');
    const terminal = page.locator('.terminal-wrapper').filter({ visible: true });
    const rows = terminal.locator('.xterm-rows');
    await expect(rows).toContainText(/[#$%>]\s*$/);
    await workbench.clickUntil(terminal, terminal.locator('.xterm-rows.xterm-focus'));
    await page.keyboard.type('ls no-such-invoice');
    await expect(rows).toContainText('ls no-such-invoice');
    await page.keyboard.press('Enter');
    await expect(rows).toContainText('cannot access');
    await workbench.run('Terminal: Select All');
    await workbench.run('Svc: Explain Terminal Selection');
    await expect(chat.turns).toHaveCount(1);
    await chat.becomes('complete');
    // Only what the service refused was asked for again, and it accepted that.
    expect(service.chats.at(-1)?.body).toContain('cannot access');
    await workbench.run('Terminal: Kill the Active Terminal Instance');
  });
});

test('findings are fixed and explained, and the workspace is reviewed', async ({ workbench, chat, service }) => {
  await workbench.storeKey(key);
  await chat.open();
  service.setScenario('strict');
  await workbench.openFile('pay.groovy');
  await workbench.run('Svc: Review File for Compliance');
  await expect(workbench.reviewItem).toContainText('Review complete. Findings: 2');
  const toFinding = async (): Promise<void> => {
    await workbench.openFile('pay.groovy');
    await expect(async () => {
      await workbench.clickEditor();
      await workbench.page.keyboard.press('Control+Home');
      for (const name of ['ArrowDown', 'ArrowDown', 'End']) await workbench.page.keyboard.press(name);
      await expect(workbench.positionItem).toContainText('Ln 3, Col 20', { timeout: 5_000 });
    }).toPass({ timeout: 120_000 });
  };
  await toFinding();
  await workbench.quickFix('Svc: Explain (pci-injection)');
  await expect(chat.turns).toHaveCount(1);
  await chat.becomes('complete');
  await toFinding();
  await workbench.quickFix('Svc: Fix (pci-injection)');
  await expect(workbench.page.locator('.tab.active')).toContainText('Changes to pay.groovy');
  await workbench.decide('Reject All');
  await workbench.run('Svc: Review Workspace for Compliance…');
  await workbench.answer('**/*.groovy');
  await workbench.answerDialog('Review');
  await expect(workbench.reviewItem).toContainText('Review complete');
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
  // The participant's own requests fit into any window, and offer no tools.
  service.setScenario('strict');
  await workbench.openFile('pay.ts');
  for (const name of ['explain', 'generate', 'review']) {
    await builtIn.ask(`/${name} total for ${name}`);
    const asked = (): boolean => service.chats.some(({ body }) => body.includes(`total for ${name}`));
    await expect.poll(asked).toBe(true);
    await expect(builtIn.answers.last()).toContainText('Confirmed by the service');
  }
});
