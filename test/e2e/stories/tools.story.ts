import { calling } from '../../service/calling.ts';
import { toolNames, toolNamesWithout } from '../../tools/toolInventory.ts';
import { expect, expectChats, key, test } from '../fixtures.ts';

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
  await expect(chat.steps('asking')).toContainText('Svc wants to read src/pay.ts');
  await expect(chat.steps('asking').getByTestId('step-input')).toBeHidden();
  await expect(chat.said).toContainText('Svc wants to read src/pay.ts');
  // The user can continue typing.
  await expect(chat.composer).toBeFocused();
  await chat.steps('asking').getByText('Details').click();
  await expect(chat.steps('asking').getByTestId('step-input')).toHaveText('{ "path": "src/pay.ts" }');
  await expectChats(service, 1);
  await chat.toolButton('allow-once').focus();
  await chat.toolButton('allow-once').press('Enter');
  await chat.becomes('complete');
  await expect(chat.answers.last()).toContainText('export const rate = 0.19;');
  await expect(chat.composer).toBeFocused();
  await expectChats(service, 2);

  await expect(chat.steps('done')).toContainText('allowed once');
  await expect(chat.steps('done').getByTestId('step-result')).toBeHidden();
  await chat.steps('done').locator('summary').press('Enter');
  await expect(chat.steps('done').getByTestId('step-result')).toContainText('export const rate');
});

test('a tool allowed for the conversation is not asked about again; after a denied call the turn continues', async ({
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

  // A file that may not be sent is refused before the user is asked.
  await chat.ask('Please read the file plan.md');
  await expect(chat.turns).toHaveCount(4);
  await chat.becomes('complete');
  await expect(chat.steps('refused')).toHaveCount(1);
  await expect(chat.answers.last()).toContainText('it is excluded by .svcignore');
  expect(service.chats.some(({ body }) => body.includes('The plan.'))).toBe(false);
});

test.describe('a model that guesses', () => {
  test.use({ files: { '.env': 'SHOP_STOCK=ninety crates of apples stand beside the ramp\n', 'a.txt': 'a\n' } });

  test('is told whether text of an excluded file was left out of its call only after a question', async ({
    chat,
    service,
    workbench,
  }) => {
    service.enqueue(
      calling('c0', 'search_text', { query: 'SHOP_STOCK=ninety crates of apples stand beside the ramp' }),
    );
    await chat.ask('What is in stock?');
    await chat.toolButton('allow-once').click();
    await chat.becomes('confirming');
    await expect(chat.confirmation).toContainText('The model wrote text of an excluded file; nothing sent back yet');
    await expect(chat.confirmation).toContainText('1 line from .env, in search_text');
    await workbench.shoot('excluded-content-called');
    await expectChats(service, 1);
    await chat.confirmationButton('send-masked').click();
    await chat.becomes('complete');
    await expectChats(service, 2);
    expect(service.chats.at(-1)?.body).not.toContain('crates');
  });
});

test('a model that makes the same call again and again is stopped, and continues with Continue', async ({
  chat,
  service,
}) => {
  const input = { path: 'src/pay.ts' };
  service.enqueue(...['c0', 'c1', 'c2', 'c3'].map((id) => calling(id, 'read_file', input)));
  await chat.ask('What is the rate?');
  await chat.toolButton('allow-once').click();
  await chat.becomes('interrupted');
  await expect(chat.turns.last()).toContainText('Stopped: the model made the same tool call four times');
  await expect(chat.steps('refused')).toHaveCount(2);
  await expect(chat.steps('capped')).toContainText('not run: the turn was stopped');
  await expectChats(service, 4);
  await chat.action('continue').click();
  await chat.becomes('complete');
  await expect(chat.steps('done')).toHaveCount(1);
  await expectChats(service, 5);
});

test('Esc ends a waiting call; the turn keeps it, over a reload', async ({ chat, workbench, service }) => {
  await chat.ask('Please read the file src/pay.ts');
  await expect(chat.toolButton('allow-once')).toBeVisible();
  await chat.composer.press('Escape');
  await chat.becomes('stopped');
  await expect(chat.steps('stopped')).toHaveCount(1);
  await expect(chat.turns.last().getByTestId('debug-continue')).toBeVisible();
  await expectChats(service, 1);

  await chat.ask('Please read the file src/pay.ts');
  await chat.toolButton('allow-once').click();
  await expect(chat.turns).toHaveCount(2);
  await chat.becomes('complete');
  await workbench.reloadByCommand();
  await chat.open();
  await expect(chat.steps('done')).toContainText('Read src/pay.ts');
});

test('a tool that is not selected in the list is not in the request, and without tools none is', async ({
  chat,
  workbench,
  service,
}) => {
  const offered = (): readonly string[] | undefined => {
    const body = service.chats.at(-1)?.json as { tools?: readonly { function: { name: string } }[] } | undefined;
    return body?.tools?.map((tool) => tool.function.name);
  };
  const checkBox = (label: string) => workbench.quickPick.filter({ hasText: label }).getByRole('checkbox');
  await expect(chat.tools).toHaveAccessibleName(`Tools: ${toolNames.length} on`);
  await chat.tools.click();
  await expect(workbench.quickPick.first()).toContainText('Use tools');
  await expect(checkBox('Read Git changes')).toBeChecked();
  await workbench.check('Read Git changes', false);
  await workbench.acceptChecked();
  await expect.poll(() => workbench.userSettings()).toContain('git_diff');
  await expect(chat.tools).toHaveAccessibleName(`Tools: ${toolNames.length - 1} on`);
  await chat.ask('What can you do?');
  await chat.becomes('complete');
  expect(offered()).toEqual(toolNamesWithout('git_diff'));

  await chat.tools.press('Enter');
  await expect(checkBox('Use tools')).toBeChecked();
  await workbench.check('Use tools', false);
  await workbench.acceptChecked();
  await expect.poll(() => workbench.userSettings()).toMatch(/"svc\.tools\.enabled":\s*false/);
  await expect(chat.tools).toHaveAccessibleName('Tools: off');
  await chat.ask('And now?');
  await expect(chat.turns).toHaveCount(2);
  await chat.becomes('complete');
  expect(offered()).toBeUndefined();
});

test.describe('with a model without tools', () => {
  // The window remembers the model.
  test.use({ leavesWindow: false });

  test('a tool that the service refuses is named below the answer, and the others are offered', async ({
    chat,
    service,
  }) => {
    service.setScenario('bad-tool');
    await chat.ask('What can you do?');
    await chat.becomes('complete');
    await expect(chat.turns.last()).toContainText('The service did not accept these tools: list_files.');
    await expect(chat.tools).toHaveAccessibleName(`Tools: ${toolNames.length} on`);
  });

  test('a call in another form is run; one that is text is not, and the answer says so', async ({ chat, service }) => {
    service.setScenario('call-older');
    await chat.ask('Please read the file src/pay.ts');
    await chat.toolButton('allow-conversation').click();
    await chat.becomes('complete');
    service.setScenario('call-as-text');
    await chat.ask('Please read the file src/pay.ts again');
    await expect(chat.turns).toHaveCount(2);
    await chat.becomes('complete');
    await expect(chat.turns.last()).toContainText('The answer contains a tool call as text. It was not run.');
  });

  test('a model without tools is reported, and answers without them', async ({ chat, service }) => {
    service.setScenario('no-tools');
    await chat.ask('Please read the file src/pay.ts');
    await chat.becomes('complete');
    await expect(chat.turns.last()).toContainText(
      'This answer was made without tools: svc/auto did not accept the request with them.',
    );
    await expect(chat.tools).toHaveAccessibleName('Tools: not supported');
    await expect(chat.tools).toHaveAttribute('title', /svc\/auto does not support them/);
  });
});
