import { expect, key, test } from '../fixtures.ts';

// A typical day's work, in the oldest VS Code that the manifest supports. The other stories run in the newest.
test.use({
  workspaceSettings: { 'svc.compliance.securityLevel': 'high', 'svc.compliance.audit': true },
  files: { 'src/pay.ts': 'export function fee(amount: number): number {\n  return amount * 0.19;\n}\n' },
});

test('connect, ask, explain, apply, and find it again', async ({ workbench, chat, service }) => {
  await workbench.storeKey(key);
  await chat.open();
  await chat.ask('Hello about lighthouses');
  await chat.becomes('complete');
  await expect(chat.answers.last()).not.toBeEmpty();
  expect(service.chats[0]?.headers.authorization).toBe(`Bearer ${key}`);
  expect(service.chats[0]?.headers['svc-security-level']).toBe('high');
  await expect(chat.receipt).toHaveAttribute('data-verdict', 'confirmed');

  await workbench.openFile('pay.ts');
  await workbench.run('Svc: Explain Code');
  await expect(chat.turns).toHaveCount(2);
  await chat.becomes('complete');
  await expect(chat.answers.last()).toContainText('fee');

  await workbench.page.locator('.editor-instance:visible .view-lines').first().click();
  await workbench.page.keyboard.press('Control+End');
  await workbench.run('Svc: Generate Code…');
  await workbench.answer('a function that adds two numbers');
  await expect(workbench.page.locator('.monaco-diff-editor .line-insert').first()).toBeVisible();
  await workbench.decide('Accept All');
  await expect.poll(() => workbench.editorText()).toContain('function add');

  // Waits for the focus: the panel takes it when it is shown, which would close a list that is already open.
  await chat.newChat();
  await workbench.run('Svc: Show History');
  await workbench.choose('lighthouses');
  await expect(chat.turns).toHaveCount(2);
  await expect(chat.composer).toBeFocused();
  await workbench.run('Svc: Verify Audit Log');
  await workbench.heard(/The audit log is intact/);
});
