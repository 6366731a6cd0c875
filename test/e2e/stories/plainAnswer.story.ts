import type { ViewEvent } from '../../../src/protocol/panelEvents.ts';
import { previewStates } from '../../tools/panelPreview/states.ts';
import { expect, panelPreview, test } from '../previews.ts';

test('an answer is plain text, and not blank, if what draws it cannot be loaded', async ({ previews }) => {
  const { page } = previews;
  await page.route(/answerBody/, (route) => route.abort());
  await previews.show(panelPreview, 'streaming');
  const answer = page.getByTestId('plain-answer');
  const { turns: [first] = [] } = previewStates(0).streaming ?? {};
  await expect(answer).toHaveText(first?.answer ?? '');
  await expect(page.getByTestId('answer')).toContainText('The answer is shown as plain text');
  const send = (...events: readonly ViewEvent[]): Promise<void> =>
    page.evaluate((sent) => {
      (globalThis as unknown as { host(...events: readonly unknown[]): void }).host(...sent);
    }, events);
  await send({ type: 'delta', turnId: 't1', text: '\n<b>More</b>' });
  await expect(answer).toHaveText(`${first?.answer}\n<b>More</b>`);
  expect(await answer.evaluate((element) => element.childElementCount)).toBe(0);
  const { answer: _, prompt: __, ...meta } = { ...first, status: 'complete' } as NonNullable<typeof first>;
  await send({ type: 'turn-changed', turn: meta });
  await page.getByTestId('copy-answer').click();
  const calls = (): Promise<string> =>
    page.evaluate(() => JSON.stringify((globalThis as unknown as { calls: unknown }).calls));
  await expect.poll(calls).toContain('"method":"copy"');
  await expect(answer).toContainText('<b>More</b>');
});
