import { expect, key, test } from '../fixtures.ts';

const source = `export function total(items: readonly number[]): number {
  let sum = 0;
  for (const item of items) sum += item;
  return sum;
}
`;

test.use({ files: { 'src/pay.ts': source } });

test.beforeEach(async ({ workbench }) => {
  await workbench.storeKey(key);
  await workbench.openFile('pay.ts');
});

test('code is explained in the panel', async ({ workbench, chat, service }) => {
  await workbench.run('Svc: Explain Code');
  await chat.becomes('complete');
  await expect(chat.turns.last()).toContainText('src/pay.ts');
  await expect(chat.answers.last()).toContainText('total');
  expect(service.chats[0]?.body).toContain('for (const item of items)');
});

test('a rejected proposal leaves the file unchanged', async ({ workbench }) => {
  await workbench.run('Svc: Generate Code…');
  await workbench.answer('a function that adds two numbers');
  await expect(workbench.page.locator('.monaco-diff-editor .line-insert').first()).toBeVisible();
  await workbench.decide('Reject All');
  await expect.poll(() => workbench.editorText()).toBe(source);
});

test('generated code is a diff, and accepting writes it', async ({ workbench, service }) => {
  await workbench.page.keyboard.press('Control+End');
  await workbench.run('Svc: Generate Code…');
  await workbench.answer('a function that adds two numbers');
  await expect(workbench.page.locator('.tab.active')).toContainText('Changes to pay.ts');
  await expect(workbench.page.locator('.monaco-diff-editor .line-insert').first()).toBeVisible();
  expect(service.chats[0]?.json).toMatchObject({ model: 'svc/enterprise-coder-v1' });
  await workbench.decide('Accept All');
  await expect.poll(() => workbench.editorText()).toContain('function add');
});
