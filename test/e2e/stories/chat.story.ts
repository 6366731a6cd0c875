import { houseRules } from '../../../src/session/prompts/houseRules.ts';
import { expect, expectChats, key, test } from '../fixtures.ts';

test.beforeEach(async ({ workbench, chat }) => {
  await workbench.storeKey(key);
  await chat.open();
});

test('an answer is streamed as Markdown with code', async ({ chat, service }) => {
  const held = service.holdChunks();
  await chat.ask('Write a function that adds two numbers in TypeScript');
  await service.waitFor(({ path }) => path.endsWith('/chat/completions'));
  held.release(8);
  await chat.becomes('streaming');
  await expect(chat.answers.last()).not.toBeEmpty();
  held.release();
  await chat.becomes('complete');
  await expect(chat.answers.last().locator('pre code')).toContainText('function');
});

test('7 a rate limit shows a countdown that can be skipped', async ({ chat, service }) => {
  service.setScenario('rate-limit', { retryAfterSeconds: 30 });
  await chat.ask('Hello');
  await expect(chat.retry).toContainText('Retrying in');
  await chat.frame.getByTestId('retry-now').click();
  await chat.becomes('complete');
  await expectChats(service, 2);
});

test('stop keeps the received text, and closes the connection', async ({ chat, service }) => {
  const held = service.holdChunks();
  await chat.ask('Hello');
  held.release(3);
  await chat.becomes('streaming');
  await chat.stop.click();
  await chat.becomes('stopped');
  await expect(chat.answers.last()).not.toBeEmpty();
  await expect(chat.send).toBeVisible();
  expect(await service.chats[0]?.ended).toBe('cut');
});

test('an incomplete answer stays, and can be continued', async ({ chat, service }) => {
  service.enqueue('cut-mid-stream');
  await chat.ask('Hello');
  await chat.becomes('interrupted');
  await expect(chat.cards).toContainText('The answer was interrupted');
  await expect(chat.answers.last()).not.toBeEmpty();
  const before = await chat.answers.last().innerText();
  await chat.action('continue').click();
  await chat.becomes('complete');
  await expectChats(service, 2);
  await expect.poll(async () => (await chat.answers.last().innerText()).length).toBeGreaterThan(before.length);
});

test('thinking is a folded line with plain text, and is in no further request', async ({ chat, service }) => {
  service.setScenario('thinking');
  const held = service.holdChunks();
  await chat.ask('Hello');
  await service.waitFor(({ path }) => path.endsWith('/chat/completions'));
  const thinking = chat.frame.getByTestId('thinking');
  held.release(4);
  await expect(thinking.locator('summary')).toHaveText('Thinking…');
  await expect(chat.frame.getByTestId('waiting')).toHaveCount(0);
  await expect(thinking.getByTestId('thinking-text')).toBeHidden();
  await thinking.locator('summary').press('Enter');
  await expect(thinking.getByTestId('thinking-text')).toContainText('The question');
  held.release();
  await chat.becomes('complete');
  await expect(thinking.locator('summary')).toHaveText(/^Thought (for \d+ s|process)$/);
  await expect(thinking.getByTestId('thinking-text')).toContainText(
    '<b>First</b> I read it, then [the rules](command:',
  );
  await expect(thinking.getByTestId('thinking-text')).toContainText('```ts title="src/thought.ts"');
  await expect(thinking.locator('a, b, pre, code, button')).toHaveCount(0);
  await expect(chat.answers.last()).not.toContainText('Now I can answer');

  service.setScenario('normal');
  await chat.ask('And now?');
  await expect(chat.turns).toHaveCount(2);
  await chat.becomes('complete');
  expect(service.chats.at(-1)?.body).toContain('And now?');
  expect(service.chats.at(-1)?.body).not.toContain('Now I can answer');
});

test('an answer that reached its maximum length can be continued', async ({ chat, service }) => {
  service.enqueue('length');
  await chat.ask('Hello');
  await chat.becomes('complete');
  await expect(chat.frame.getByTestId('footer')).toContainText('stopped at the maximum length');
  await expect(chat.answers.last()).not.toBeEmpty();
  const before = await chat.answers.last().innerText();
  await chat.frame.getByTestId('debug-continue').click();
  await expectChats(service, 2);
  await chat.shows('complete');
  await expect(chat.frame.getByTestId('footer')).not.toContainText('stopped at the maximum length');
  await expect.poll(async () => (await chat.answers.last().innerText()).length).toBeGreaterThan(before.length);
  await expectChats(service, 2);
});

test('a new chat starts empty, and works with only the keyboard', async ({ chat, service }) => {
  await chat.composer.fill('first line');
  await chat.composer.press('Shift+Enter');
  await chat.composer.pressSequentially('second line');
  await chat.composer.press('Enter');
  await chat.becomes('complete');
  expect(service.chats[0]?.json).toMatchObject({
    messages: [{ role: 'user', content: `${houseRules}\n\nfirst line\nsecond line` }],
  });
  await chat.composer.press('ArrowUp');
  await expect(chat.composer).toHaveValue('first line\nsecond line');
  await chat.composer.fill('');
  await chat.newChat();
});

test('a view that is hidden and shown again has lost nothing', async ({ chat, workbench }) => {
  await chat.ask('Hello');
  await chat.becomes('complete');
  // Its end.
  await expect(chat.answers.last()).toContainText('Write a function isPrime in TypeScript');
  const before = await chat.answers.last().innerText();
  await workbench.run('View: Toggle Secondary Side Bar Visibility');
  await expect(chat.composer).toBeHidden();
  await chat.open();
  await chat.shows('complete');
  // The page is created again: its renderer is loaded after the turn is there.
  await expect.poll(() => chat.answers.last().innerText()).toBe(before);
});

test('7 a forbidden model is explained, and another one works', async ({ chat, workbench, service }) => {
  workbench.writeWorkspaceSettings({ 'svc.model.chat': 'svc/restricted' });
  await expect(chat.model).toContainText('svc/restricted');
  await chat.ask('Hello');
  await expect(chat.cards).toContainText('has no access to the model svc/restricted');
  await expect(chat.cards).toContainText('403');
  await chat.action('selectModel').click();
  await workbench.choose('svc/auto');
  await workbench.choose('For all conversations');
  await expect(chat.model).toContainText('svc/auto');
  await chat.action('retry').click();
  await chat.becomes('complete');
  expect(service.chats.at(-1)?.json).toMatchObject({ model: 'svc/auto' });
});

test('a model for one conversation is kept with it, and a forbidden or unknown one is named', async ({
  chat,
  workbench,
  service,
}) => {
  const select = async (model: string, scope: string): Promise<void> => {
    await chat.model.click();
    await workbench.choose(model);
    await workbench.choose(scope);
  };
  // A window that another story has used has its conversations, too.
  await chat.ask('Which model is mine?');
  await chat.becomes('complete');
  await select('svc/enterprise-coder-v1', 'For this conversation');
  await expect(chat.model).toContainText('svc/enterprise-coder-v1');
  await chat.ask('Second');
  await chat.becomes('complete');
  await expect(chat.turns.last().getByTestId('footer')).toContainText('svc/enterprise-coder-v1');
  expect(service.chats.at(-1)?.json).toMatchObject({ model: 'svc/enterprise-coder-v1' });

  await chat.newChat();
  await expect(chat.model).toContainText('svc/auto');
  await workbench.run('Svc: Show History');
  await workbench.choose('Which model is mine?');
  await expect(chat.turns).toHaveCount(2);
  await expect(chat.model).toContainText('svc/enterprise-coder-v1');
  await expect(chat.composer).toBeFocused();

  await select('svc/restricted', 'For this conversation');
  await chat.ask('Third');
  await expect(chat.cards).toContainText('has no access to the model svc/restricted');
  await chat.action('selectModel').click();
  await workbench.choose('Use the model of all conversations: svc/auto');
  await expect(chat.model).toContainText('svc/auto');
  await chat.action('retry').click();
  await chat.becomes('complete');
  expect(service.chats.at(-1)?.json).toMatchObject({ model: 'svc/auto' });
});
