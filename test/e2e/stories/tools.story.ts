import { expect, key, test } from '../fixtures.ts';

test.use({
  userSettings: { 'svc.tools.enabled': true },
  files: { 'src/pay.ts': 'export const rate = 0.19;\n', '.svcignore': 'plan.md\n', 'plan.md': 'The plan.\n' },
});

test.beforeEach(async ({ workbench, chat }) => {
  await workbench.storeKey(key);
  await chat.open();
});

test('a tool call is shown, allowed with the keyboard, and its result is in the answer', async ({ chat, service }) => {
  await chat.ask('Please read the file src/pay.ts');
  await chat.becomes('calling');
  await expect(chat.steps('asking')).toContainText('read_file');
  await expect(chat.steps('asking').getByTestId('step-input')).toHaveText('{ "path": "src/pay.ts" }');
  await expect(chat.said).toContainText('The model asks to call a tool: read_file');
  // What is typed goes on where the user is.
  await expect(chat.composer).toBeFocused();
  expect(service.chats).toHaveLength(1);
  await chat.toolButton('allow-once').focus();
  await chat.toolButton('allow-once').press('Enter');
  await chat.becomes('complete');
  await expect(chat.answers.last()).toContainText('export const rate = 0.19;');
  await expect(chat.composer).toBeFocused();
  expect(service.chats).toHaveLength(2);

  await expect(chat.steps('done')).toContainText('allowed once');
  await expect(chat.steps('done').getByTestId('step-result')).toBeHidden();
  await chat.steps('done').locator('summary').press('Enter');
  await expect(chat.steps('done').getByTestId('step-result')).toContainText('export const rate');
});

test('allowed in the conversation it is not asked about again; denied, the turn goes on', async ({ chat, service }) => {
  await chat.ask('Please read the file src/pay.ts');
  await chat.toolButton('allow-conversation').click();
  await chat.becomes('complete');
  await chat.ask('Please read the file src/pay.ts again');
  await expect(chat.turns).toHaveCount(2);
  await chat.becomes('complete');
  await expect(chat.steps('done')).toContainText('allowed in this conversation');

  await chat.ask('Please list the files');
  await chat.toolButton('deny').click();
  await chat.becomes('complete');
  await expect(chat.answers.last()).toContainText('did not allow this call');
  await expect(chat.steps('denied')).toHaveCount(1);

  // What may not leave is refused before anybody is asked.
  await chat.ask('Please read the file plan.md');
  await expect(chat.turns).toHaveCount(4);
  await chat.becomes('complete');
  await expect(chat.steps('refused')).toHaveCount(1);
  await expect(chat.answers.last()).toContainText('it is excluded by .svcignore');
  expect(service.chats.some(({ body }) => body.includes('The plan.'))).toBe(false);
});

test('Esc ends a call that waits; the turn is kept with it, over a reload', async ({ chat, workbench, service }) => {
  await chat.ask('Please read the file src/pay.ts');
  await expect(chat.toolButton('allow-once')).toBeVisible();
  await chat.composer.press('Escape');
  await chat.becomes('stopped');
  await expect(chat.steps('stopped')).toHaveCount(1);
  expect(service.chats).toHaveLength(1);

  await chat.ask('Please read the file src/pay.ts');
  await chat.toolButton('allow-once').click();
  await expect(chat.turns).toHaveCount(2);
  await chat.becomes('complete');
  await workbench.reloadByCommand();
  await chat.open();
  await expect(chat.steps('done')).toContainText('read_file · src/pay.ts');
});

test('a model that takes no tools is said so, and answers without', async ({ chat, service }) => {
  service.enqueue('no-tools');
  await chat.ask('Please read the file src/pay.ts');
  await chat.becomes('complete');
  await expect(chat.turns.last()).toContainText('Without tools: svc/auto does not take any.');
});
