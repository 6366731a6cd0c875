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
  // The user can continue typing.
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

test('a tool allowed for the conversation is not asked about again; after a denied call the turn goes on', async ({
  chat,
  service,
}) => {
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

  // A file that may not leave is refused before the user is asked.
  await chat.ask('Please read the file plan.md');
  await expect(chat.turns).toHaveCount(4);
  await chat.becomes('complete');
  await expect(chat.steps('refused')).toHaveCount(1);
  await expect(chat.answers.last()).toContainText('it is excluded by .svcignore');
  expect(service.chats.some(({ body }) => body.includes('The plan.'))).toBe(false);
});

test('Esc ends a waiting call; the turn keeps it, over a reload', async ({ chat, workbench, service }) => {
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

test('a model without tools is reported, and answers without them', async ({ chat, service }) => {
  service.enqueue('no-tools');
  await chat.ask('Please read the file src/pay.ts');
  await chat.becomes('complete');
  await expect(chat.turns.last()).toContainText('Without tools: svc/auto does not take any.');
});
