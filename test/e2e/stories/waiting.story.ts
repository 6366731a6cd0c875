// Enter while an answer is written: one question waits above the composer.
import type { Locator } from '@playwright/test';
import type { ChatPanel } from '../chatPanel.ts';
import { expect, expectChats, key, test } from '../fixtures.ts';

test.use({ files: { 'src/pay.ts': 'export const rate = 0.19;\n', 'src/fee.ts': 'export const fee = 2;\n' } });

test.beforeEach(async ({ workbench, chat }) => {
  await workbench.storeKey(key);
  await chat.open();
});

const waiting = (chat: ChatPanel): Locator => chat.frame.getByTestId('waiting-question');

/** Attaches a file, and waits for its chip in the composer. */
async function attach(chat: ChatPanel, name: string): Promise<void> {
  await chat.addContext(name);
  await expect(chat.composerBox.getByTestId('chip').last()).toContainText(name);
}

/** An answer that has begun, and is held until it is released. */
async function answering(chat: ChatPanel, service: { holdChunks(): { release(count?: number): void } }) {
  const held = service.holdChunks();
  await chat.ask('Hello');
  held.release(3);
  await chat.becomes('streaming');
  return held;
}

test('a question waits with its attachments, in a view that is created again too, and is sent when the answer is complete', async ({
  chat,
  workbench,
  service,
}) => {
  const held = await answering(chat, service);
  await attach(chat, 'pay.ts');
  await chat.ask('What is the rate?');
  await expect(waiting(chat)).toContainText('Your question is sent when the answer is complete.');
  await expect(waiting(chat).getByTestId('waiting-text')).toHaveText('What is the rate?');
  await expect(waiting(chat).getByTestId('chip')).toContainText('src/pay.ts');
  await expect(chat.composer).toHaveValue('');
  await expect(chat.composer).toBeFocused();
  // It is read when it is sent.
  workbench.writeFile('src/pay.ts', 'export const rate = 0.2;\n');
  await workbench.run('View: Toggle Secondary Side Bar Visibility');
  await expect(chat.composer).toBeHidden();
  await chat.open();
  await expect(waiting(chat)).toContainText('What is the rate?');
  await expectChats(service, 1);
  held.release();
  await expect(chat.turns).toHaveCount(2);
  await chat.becomes('complete');
  await expect(waiting(chat)).toHaveCount(0);
  await expect(chat.turns.last()).toContainText('src/pay.ts');
  expect(service.chats[1]?.body).toContain('export const rate = 0.2;');
});

test('a command that waits works on the code that was in the editor', async ({ chat, workbench, service }) => {
  await workbench.openFile('pay.ts');
  await chat.open();
  const held = await answering(chat, service);
  await chat.ask('/explain this');
  await expect(waiting(chat).getByTestId('chip')).toContainText('src/pay.ts');
  await workbench.openFile('fee.ts');
  held.release();
  await expect(chat.turns).toHaveCount(2);
  await chat.becomes('complete');
  expect(service.chats[1]?.body).toContain('export const rate');
  expect(service.chats[1]?.body).not.toContain('export const fee');
});

test('a file that is excluded while the question waits is refused when it is sent', async ({
  chat,
  workbench,
  service,
}) => {
  const held = await answering(chat, service);
  await attach(chat, 'pay.ts');
  await chat.ask('What is the rate?');
  await expect(waiting(chat)).toBeVisible();
  workbench.writeFile('.svcignore', 'pay.ts\n');
  held.release();
  await expect(chat.turns).toHaveCount(2);
  await expect(chat.cards).toContainText('src/pay.ts is excluded');
  await expectChats(service, 1);
});

test('one question can wait: it can be edited, removed, and sent immediately', async ({ chat, workbench, service }) => {
  const held = await answering(chat, service);
  await attach(chat, 'pay.ts');
  await chat.ask('What is the rate?');
  await expect(waiting(chat)).toBeVisible();
  await attach(chat, 'fee.ts');
  await chat.ask('And the fee?');
  await expect(chat.refusal).toContainText('A question is already waiting. Send, edit, or remove it first.');
  await expect(chat.composer).toHaveValue('And the fee?');

  // With the keyboard: the focus goes back to the composer.
  await waiting(chat).getByTestId('waiting-edit').press('Enter');
  await expect(waiting(chat)).toHaveCount(0);
  await expect(chat.composer).toHaveValue('What is the rate?\n\nAnd the fee?');
  await expect(chat.chips).toHaveText([/src\/fee\.ts/, /src\/pay\.ts/]);
  await expect(chat.composer).toBeFocused();

  await chat.composer.press('Enter');
  await expect(waiting(chat)).toContainText('And the fee?');
  await waiting(chat).getByTestId('waiting-remove').click();
  await expect(waiting(chat)).toHaveCount(0);
  await expect(chat.chips).toHaveCount(0);

  await chat.ask('At once?');
  await workbench.shoot('waiting-question');
  await waiting(chat).getByTestId('waiting-send').click();
  await expect(chat.turns).toHaveCount(2);
  await expect(chat.turns.first()).toHaveAttribute('data-status', 'stopped');
  held.release();
  await chat.becomes('complete');
  expect(service.chats[1]?.body).toContain('At once?');
});

test('a long pasted text goes back to the composer beside the text that was typed', async ({ chat, service }) => {
  const held = await answering(chat, service);
  const long = 'const total = amounts.length;\n'.repeat(5_000);
  await chat.composer.fill('Look');
  await chat.composer.evaluate((area, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, long);
  await expect(chat.pasted).toHaveCount(1);
  await chat.composer.press('Enter');
  await expect(waiting(chat)).toContainText('Look');
  await expect(chat.pasted).toHaveCount(0);
  await waiting(chat).getByTestId('waiting-edit').click();
  await expect(chat.composer).toHaveValue('Look');
  await expect(chat.pasted).toContainText('150,000');
  await chat.composer.press('Enter');
  await expect(waiting(chat)).toBeVisible();
  held.release();
  await expect(chat.turns).toHaveCount(2);
  await chat.becomes('complete');
  const { messages } = JSON.parse(service.chats[1]?.body ?? '{}');
  expect(messages.at(-1).content).toBe(`Look\n\n${long}`);
});

test('it stays after an answer that was stopped, until Send, and goes back to the composer in a new chat', async ({
  chat,
  service,
}) => {
  const held = await answering(chat, service);
  await chat.ask('Next?');
  await expect(waiting(chat)).toBeVisible();
  await chat.composer.press('Escape');
  await chat.becomes('stopped');
  await expect(waiting(chat)).toContainText('The waiting question was not sent.');
  await expectChats(service, 1);
  held.release();
  await waiting(chat).getByTestId('waiting-send').click();
  await expect(chat.turns).toHaveCount(2);
  await chat.becomes('complete');

  const again = service.holdChunks();
  await chat.ask('Hello again');
  again.release(3);
  await chat.becomes('streaming');
  await chat.ask('Unsent?');
  await expect(waiting(chat)).toBeVisible();
  await chat.composer.fill('a draft');
  await chat.newChat();
  await expect(waiting(chat)).toHaveCount(0);
  await expect(chat.composer).toHaveValue('Unsent?\n\na draft');
  again.release();
  await expectChats(service, 3);
});
