// A conversation that exceeds the context window of the model: what is left out is said, and the user decides about whole turns.
import { expect, expectChats, key, test } from '../fixtures.ts';

const lines = (word: string): string =>
  Array.from({ length: 300 }, (_, at) => `export const ${word}${at} = ${at};`).join('\n');

test.use({
  files: { 'src/a [ä].ts': lines('pay'), 'src/tax.ts': lines('tax'), 'src/fee.ts': lines('fee') },
  workspaceSettings: { 'svc.context.maxTokens': 6000 },
});

test.describe('in a new window', () => {
  // A window keeps what earlier stories have taught it about the model.
  test.use({ takesWindow: false });

  test('attachments that do not fit are named below the question, and whole turns are left out when the user confirms', async ({
    workbench,
    chat,
    service,
  }) => {
    await workbench.storeKey(key);
    await chat.open();
    const about = async (name: string): Promise<void> => {
      await chat.addContext(name);
      await expect(chat.chips.last()).toContainText(name);
      await chat.ask(`What is in ${name}?`);
      await chat.becomes('complete');
    };
    const leftOut = chat.frame.getByTestId('left-out');
    await about('a [ä].ts');
    await about('tax.ts');
    await expect(leftOut).toHaveCount(0);
    await about('fee.ts');
    await expect(leftOut).toHaveCount(1);
    await expect(leftOut.locator('summary')).toHaveText(
      /^Left out to stay within the limit: 1 attachment \(about [\d,]+ tokens\)$/,
    );
    await leftOut.locator('summary').click();
    await expect(leftOut.locator('li')).toHaveText([/^src\/a \[ä\]\.ts, [\d.]+ kB – What is in a \[ä\]\.ts\?$/]);
    expect(service.chats.at(-1)?.body).toMatch(/left out to fit: src\/a \[ä\]\.ts, /);

    service.setScenario('big', { bigBytes: 12_000 });
    await chat.newChat();
    for (const question of ['First?', 'Second?']) {
      await chat.ask(question);
      await chat.becomes('complete');
    }
    await chat.ask('Third?');
    await chat.becomes('failed');
    await expect(chat.cards).toContainText(
      /This conversation exceeds the context window of the model: about [\d,]+ tokens; the limit is 6,000/,
    );
    const sent = service.chats.length;
    service.setScenario('normal');
    await chat.cards.getByRole('button', { name: 'Leave Out the Oldest Turns' }).click();
    await chat.becomes('complete');
    await expect(leftOut.locator('summary')).toHaveText(/^Left out to stay within the limit: 1 turn \(about/);
    await expectChats(service, sent + 1);
    expect(service.chats.at(-1)?.body).toContain('First?');
  });
});

test('earlier turns are summarized: the summary is sent in their place, is edited, and is undone', async ({
  workbench,
  chat,
  service,
}) => {
  await workbench.storeKey(key);
  await chat.open();
  const summary = chat.frame.getByTestId('summary');
  const text = summary.getByTestId('summary-text');
  const lastBody = (): string => service.chats.at(-1)?.body ?? '';
  service.setScenario('big', { bigBytes: 8_000 });
  for (const [at, question] of ['My port is 9000.', 'Second?', 'Third?', 'Fourth?'].entries()) {
    await chat.ask(question);
    await expect(chat.turns).toHaveCount(at + 1);
    await chat.becomes(at < 3 ? 'complete' : 'failed');
  }
  await expect(chat.cards.getByTestId('card-action')).toHaveText([
    ...['Summarize Earlier Turns', 'Leave Out the Oldest Turns', 'New Chat', 'Open Settings'],
  ]);
  await workbench.shoot('limit-card');
  const sent = service.chats.length;

  // A summary that is cut off changes nothing.
  service.setScenario('normal');
  service.enqueue('length');
  await chat.action('summarize').click();
  await expect(chat.cards).toContainText('The conversation was not summarized: The summary reached the maximum length');
  await expect(summary).toHaveCount(0);
  await expect(chat.turns).toHaveCount(4);
  await expectChats(service, sent + 1);

  await chat.action('summarize').click();
  await chat.becomes('complete');
  await expectChats(service, sent + 3);
  await expect(summary).toContainText(
    'Summary of 1 turn, sent instead of it. Your question is still sent word for word.',
  );
  await expect(text).toContainText('## Goal My port is 9000.');
  // Its turns are not shown; its text is plain.
  await expect(chat.turns).toHaveCount(3);
  await expect(summary.locator('h1, h2, .code-block')).toHaveCount(0);
  await expect(summary.getByTestId('summary-footer')).toContainText(/svc\/auto · [\d,]+ tokens/);
  expect(lastBody()).toContain('My port is 9000.\\n\\nSummary, written by a model:');
  await summary.scrollIntoViewIfNeeded();
  await workbench.shoot('summary');

  await summary.getByTestId('summary-turns').press('Enter');
  await expect(chat.turns).toHaveCount(4);
  await expect(chat.turns.first()).toContainText('My port is 9000.');
  await expect(summary.getByTestId('summary-turns')).toBeFocused();
  await summary.getByTestId('summary-turns').press('Enter');
  await expect(chat.turns).toHaveCount(3);

  await summary.getByTestId('summary-edit').press('Enter');
  const area = summary.getByTestId('summary-area');
  await expect(area).toBeFocused();
  await area.fill('  ');
  await summary.getByTestId('summary-save').click();
  await expect(summary.getByRole('alert')).toContainText('The summary is empty.');
  // What is typed is kept when the view is hidden.
  await area.fill('The port is **9000**.');
  await workbench.run('View: Toggle Secondary Side Bar Visibility');
  await expect(chat.composer).toBeHidden();
  await workbench.run('Svc: Open Chat');
  await expect(area).toHaveValue('The port is **9000**.');
  await summary.getByTestId('summary-save').click();
  await expect(text).toHaveText('The port is **9000**.');
  await expect(summary.getByTestId('summary-edit')).toBeFocused();
  await expect(summary.getByTestId('summary-footer')).toContainText('edited · svc/auto');
  await chat.ask('And now?');
  await expect(chat.turns).toHaveCount(4);
  await chat.becomes('complete');
  expect(lastBody()).toContain('edited by the user:\\n\\n```\\nThe port is **9000**.\\n```');

  // It is with the conversation, also in a view that is created again.
  await workbench.run('View: Toggle Secondary Side Bar Visibility');
  await expect(chat.composer).toBeHidden();
  await chat.open();
  await expect(text).toHaveText('The port is **9000**.');
  await summary.getByTestId('summary-undo').press('Enter');
  await expect(summary).toHaveCount(0);
  await expect(chat.turns).toHaveCount(5);
  await expect(chat.composer).toBeFocused();
});

test.describe('with a short answer', () => {
  // A window keeps what it has learned about the model.
  test.use({ workspaceSettings: { 'svc.request.maxTokens': 256 }, leavesWindow: false });

  test('a request that is sent again, shorter, is shown again where each request is previewed', async ({
    workbench,
    chat,
    service,
  }) => {
    await workbench.storeKey(key);
    await chat.newChat();
    for (const name of ['a [ä].ts', 'tax.ts']) {
      await chat.addContext(name);
      await expect(chat.chips.last()).toContainText(name);
      await chat.ask(`What is in ${name}?`);
      await chat.becomes('complete');
    }
    await workbench.applyWorkspaceSettings({ 'svc.gate.preview': true, 'svc.request.maxTokens': 256 });
    service.setScenario('context-limit', { contextTokens: 5600 });
    await chat.addContext('fee.ts');
    await expect(chat.chips.last()).toContainText('fee.ts');
    const sent = service.chats.length;
    await chat.ask('And the fees?');
    await chat.becomes('confirming');
    await expect(chat.confirmation).toContainText('Review this request before it is sent');
    await chat.confirmationButton('send-masked').click();
    await expect(chat.confirmation).toContainText('The service refused the request as too long');
    await expect(chat.confirmation).toContainText('Left out to stay within the limit');
    await workbench.shoot('preview-shorter');
    await expectChats(service, sent + 1);
    await chat.confirmationButton('send-masked').click();
    await chat.becomes('complete');
    await expectChats(service, sent + 2);
  });
});

test.describe('without a limit of the workspace', () => {
  test.use({ workspaceSettings: {}, takesWindow: false, leavesWindow: false });

  test('the warning that the model read less than was sent writes its window into the settings of the user', async ({
    workbench,
    chat,
    service,
  }) => {
    await workbench.storeKey(key);
    await chat.open();
    service.setScenario('silent-cut');
    // A question of 30,000 bytes.
    await chat.composer.fill('why '.repeat(7500));
    await chat.composer.press('Enter');
    await chat.becomes('complete');
    await expect(chat.cards).toContainText(/The service counted 4,096 tokens of about [7-9],\d+/);
    await chat.action('setModelWindow').click();
    await expect(workbench.input).toHaveValue('4096');
    await workbench.answer('8192');
    await expect(chat.messages).toContainText('svc/auto is set to read 8,192 tokens.');
    await expect(chat.meter).toHaveAttribute('title', / of 5,632 tokens/);
    await workbench.shoot('model-window');
  });
});
