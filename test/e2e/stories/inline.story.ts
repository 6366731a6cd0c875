import type { Locator } from '@playwright/test';
import { expect, expectChats, key, test } from '../fixtures.ts';
import type { Workbench } from '../workbench.ts';

test.use({
  files: { 'src/pay.ts': 'const before = 1;\n\n' },
  // VS Code's suggestion list would hide the completion until it is closed.
  userSettings: {
    'editor.quickSuggestions': { other: 'off' },
    '[typescript]': { 'svc.inlineCompletions.enabled': true },
  },
});

const ghost = ({ page }: Workbench): Locator =>
  page.locator('.editor-instance .ghost-text-decoration, .ghost-text').first();

test.beforeEach(async ({ workbench }) => {
  await workbench.storeKey(key);
  await workbench.openFile('pay.ts');
  await workbench.page.keyboard.press('Control+End');
});

test.afterEach(({ workbench }) => workbench.run('View: Revert and Close Editor'));

test('typed text is completed, and the completion is reused without a second request', async ({
  workbench,
  service,
}) => {
  const { keyboard } = workbench.page;
  // In one piece: a machine that is busy while a key is typed would ask with the first half of it.
  await keyboard.insertText('export function factorial');
  await expectChats(service, 1);
  await expect(ghost(workbench)).toBeVisible();
  expect(service.chats[0]?.json).toMatchObject({ model: 'svc/enterprise-coder-v1', max_tokens: 256 });
  expect(service.chats[0]?.body).toContain('export function factorial<|cursor|>');
  await keyboard.press('Escape');
  await expect(ghost(workbench)).toBeHidden();
  // The same beginning, typed further: the known completion is shown immediately.
  await keyboard.press('(');
  await expect(ghost(workbench)).toBeVisible();
  await expectChats(service, 1);
  await keyboard.press('Tab');
  await expect.poll(() => workbench.editorText()).toContain('return');
});

test('a 429 pauses completions without a message, and a secret nearby prevents a request', async ({
  workbench,
  service,
}) => {
  const { keyboard } = workbench.page;
  await keyboard.insertText('// AKIAIOSFODNN7EXAMPL3 is our key, and');
  service.setScenario('rate-limit-long');
  // In one piece: an empty line would be completed before.
  await keyboard.insertText('\n\nexport function factorial');
  await expectChats(service, 1);
  expect(service.chats[0]?.body).toContain('factorial<|cursor|>');
  expect(service.chats[0]?.body).not.toContain('AKIAIOSFODNN7EXAMPL3');
  await keyboard.press('Enter');
  await keyboard.type('export function fibonacci');
  await workbench.run('Svc: Check Service Status (Health)');
  await workbench.heard('is available: 200');
  // This VS Code reports that it has no server for TypeScript.
  const others = workbench.notification(/./).filter({ hasNotText: /is available: 200|tsserver/ });
  await expect(others).toHaveCount(0);
  await expectChats(service, 1);
});
