import type { Locator } from '@playwright/test';
import { houseRules } from '../../../src/session/prompts/houseRules.ts';
import { expect, key, test } from '../fixtures.ts';

test.beforeEach(async ({ workbench, chat }) => {
  await workbench.storeKey(key);
  await chat.open();
});

test('Up and Down walk through the sent messages, only in the first and last row, and restore the draft', async ({
  chat,
}) => {
  const wrapped = `Hello ${'and a word '.repeat(20)}`.trim();
  for (const [index, text] of ['Hello one', 'Hello\ntwo', wrapped].entries()) {
    await chat.ask(text);
    await expect(chat.turns).toHaveCount(index + 1);
    await chat.becomes('complete');
  }
  await chat.composer.fill('first row\nsecond row');
  // From the second row, Up moves to the first, and from there to the last message.
  await chat.composer.press('ArrowUp');
  await expect(chat.composer).toHaveValue('first row\nsecond row');
  await chat.composer.press('ArrowUp');
  await expect(chat.composer).toHaveValue(wrapped);
  await chat.composer.press('ArrowUp');
  await expect(chat.composer).toHaveValue('Hello\ntwo');
  await chat.composer.press('ArrowUp');
  await expect(chat.composer).toHaveValue('Hello one');
  await chat.composer.press('ArrowUp');
  await expect(chat.composer).toHaveValue('Hello one');
  await chat.composer.press('ArrowDown');
  await expect(chat.composer).toHaveValue('Hello\ntwo');
  await chat.composer.press('ArrowDown');
  await expect(chat.composer).toHaveValue(wrapped);
  // The text wraps into several rows without a line break: from its end, Up moves one row, not to a message.
  await chat.composer.press('ArrowUp');
  await expect(chat.composer).toHaveValue(wrapped);
  await chat.composer.press('Control+End');
  await chat.composer.press('ArrowDown');
  await expect(chat.composer).toHaveValue('first row\nsecond row');
});

test('it grows to ten lines, and Tab moves through the properties of the next request', async ({ chat, workbench }) => {
  const height = (): Promise<number> => chat.composer.evaluate((element) => element.clientHeight);
  const single = await height();
  await chat.composer.fill('line\n'.repeat(9).trim());
  await expect.poll(height).toBe(single + 8 * 20);
  await chat.composer.fill('line\n'.repeat(30));
  await expect.poll(height).toBe(single + 9 * 20);
  await chat.composer.focus();
  for (const id of ['attach', 'mode', 'model', 'meter', 'posture', 'tools', 'preview', 'send']) {
    await workbench.page.keyboard.press('Tab');
    await expect(chat.frame.getByTestId(id)).toBeFocused();
  }
});

test('Esc stops the answer, from the composer and from the transcript', async ({ chat, workbench, service }) => {
  const progressLine = workbench.page.locator('.part.auxiliarybar .monaco-progress-container.active');
  for (const where of [chat.composer, chat.frame.getByRole('log')]) {
    const held = service.holdChunks();
    await chat.ask('Hello');
    held.release(3);
    await chat.becomes('streaming');
    await expect(progressLine).toBeVisible();
    await where.focus();
    await where.press('Escape');
    await chat.becomes('stopped');
    await expect(progressLine).toBeHidden();
    held.release();
  }
  // An open input method handles the key first.
  const held = service.holdChunks();
  await chat.ask('Hello');
  held.release(3);
  await chat.becomes('streaming');
  await chat.composer.dispatchEvent('keydown', { key: 'Escape', isComposing: true, bubbles: true });
  await chat.composer.dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true });
  held.release();
  await chat.becomes('complete');
});

test('a draft survives hiding the view and a restart of the window', async ({ chat, workbench }) => {
  await chat.composer.fill('half a question');
  await workbench.run('View: Toggle Secondary Side Bar Visibility');
  await expect(chat.composer).toBeHidden();
  await chat.open();
  await expect(chat.composer).toHaveValue('half a question');
  await workbench.reloadByCommand();
  await chat.open();
  await expect(chat.composer).toHaveValue('half a question');
});

/** Dispatches a paste event like the browser's. */
function paste(composer: Locator, text: string): Promise<void> {
  return composer.evaluate((area, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    area.focus();
    area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

test('pasted megabytes are attached, sent whole and shown from the start; too many are refused immediately', async ({
  workbench,
  chat,
  service,
}) => {
  await chat.composer.fill('Look');
  await paste(chat.composer, 'x'.repeat(5e6));
  await expect(chat.refusal).toContainText('The limit for a message is 3.8 MB.');
  await expect(chat.pasted).toHaveCount(0);
  await expect(chat.composer).toHaveValue('Look');

  const text = 'const total = amounts.length;\n'.repeat(100_000);
  await paste(chat.composer, text);
  await expect(chat.pasted).toContainText('3,000,000');
  await expect(chat.refusal).toHaveCount(0);
  // Together with the first they are too large.
  await paste(chat.composer, text);
  await expect(chat.refusal).toContainText('The limit for a message is');
  await expect(chat.pasted).toHaveCount(1);
  await chat.pasted.getByRole('button').click();
  await expect(chat.pasted).toHaveCount(0);
  await expect(chat.composer).toBeFocused();

  await paste(chat.composer, text);
  await chat.composer.press('Enter');
  // More than the default limit: the user can raise it.
  await chat.becomes('failed');
  await expect(chat.cards).toContainText('Nothing was sent: the question exceeds the context window of the model');
  await expect(chat.cards).toContainText('The limit is 100,000.');
  expect(service.chats).toHaveLength(0);
  workbench.writeWorkspaceSettings({ 'svc.context.maxTokens': 2_000_000, 'svc.compliance.securityLevel': 'maximum' });
  await expect(chat.posture).toContainText('maximum');
  await chat.cards.getByRole('button', { name: 'Retry' }).click();
  await chat.becomes('complete');
  await expect(chat.pasted).toHaveCount(0);
  const { messages } = JSON.parse(service.chats[0]?.body ?? '{}');
  expect(messages[0].content).toBe(`${houseRules}\n\nLook\n\n${text}`);

  const prompt = chat.turns.last().getByTestId('prompt');
  const shown = (): Promise<number> => prompt.evaluate((element) => element.textContent.length);
  await expect.poll(shown).toBeLessThan(3_000);
  await prompt.getByTestId('fold-prompt').click();
  await expect.poll(shown).toBeGreaterThan(text.length);
  await prompt.getByTestId('fold-prompt').click();
  await expect.poll(shown).toBeLessThan(3_000);
});
