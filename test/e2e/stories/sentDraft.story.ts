// What VS Code has kept of a page may be older than the last question: the page begins with a draft that was sent.
import { previewStates } from '../../tools/panelPreview/states.ts';
import { expect, type Previews, panelPreview, test } from '../previews.ts';

const { conversation } = previewStates(0);
const [turn] = conversation?.turns ?? [];
const prompt = turn?.prompt ?? '';
const typedFor = (turnId: string): object => ({ conversationId: conversation?.conversationId, turnId });

/** Opens the conversation in a page whose saved state is `kept`. */
async function openWith(previews: Previews, kept: unknown): Promise<void> {
  await previews.page.route('**/conversation/dark*', async (route) => {
    const response = await route.fetch();
    const attribute = JSON.stringify(kept).replaceAll('"', '&quot;');
    const body = (await response.text()).replace(/data-kept="[^"]*"/, () => `data-kept="${attribute}"`);
    await route.fulfill({ response, body });
  });
  await previews.show(panelPreview, 'conversation');
}

test('a saved draft that was sent is dropped, and the same text can be typed again', async ({ previews }) => {
  const composer = previews.page.getByTestId('composer');
  expect(prompt).not.toBe('');
  await openWith(previews, { draft: prompt, end: typedFor('') });
  await expect(composer).toHaveValue('');
  await composer.fill(prompt);
  await composer.press('End');
  await expect(composer).toHaveValue(prompt);
});

test('while the host reads what goes with a message, the button shows it', async ({ previews }) => {
  const { page } = previews;
  await previews.show(panelPreview, 'empty');
  await page.getByTestId('composer').fill('wait');
  await expect(page.getByTestId('send').locator('.codicon-send')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('send').locator('.codicon-loading.spin')).toBeVisible();
  await expect(page.getByTestId('send')).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByTestId('composer')).toHaveValue('wait');
});

test('a saved draft stays that is typed for the next question, whatever its text is', async ({ previews }) => {
  const composer = previews.page.getByTestId('composer');
  await openWith(previews, { draft: prompt, end: typedFor(turn?.id ?? '') });
  await composer.focus();
  await composer.press('End');
  await expect(composer).toHaveValue(prompt);
});
