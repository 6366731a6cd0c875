import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import type { Card } from '../../../src/protocol/card.ts';
import type { ViewEvent } from '../../../src/protocol/panelEvents.ts';
import type { TurnView } from '../../../src/protocol/turnView.ts';
import { previewStates } from '../../tools/panelPreview/states.ts';
import type { ViewFields } from '../../tools/turns.ts';
import { expect, panelPreview, test } from '../previews.ts';

const { answer: _, prompt, ...asked } = { ...previewStates(0).waiting?.turns[0], id: 'n' } as TurnView;
const { card = assert.fail() }: ViewFields = previewStates(0).errors?.turns[0] ?? {};
const notice = previewStates(0).notice?.notice as Card;
const added: ViewEvent = { type: 'turn-added', turn: { ...asked, prompt, answer: '' } };
const failed: ViewEvent = { type: 'turn-changed', turn: { ...asked, status: 'failed', card } };
const shown: ViewEvent = { type: 'notice-changed', notice };

/** Each group is one message of the host; all arrive within a frame. */
function host(page: Page, ...groups: readonly (readonly ViewEvent[])[]): Promise<void> {
  return page.evaluate((sent) => {
    const { host } = globalThis as unknown as { host(...events: readonly unknown[]): void };
    for (const events of sent) host(...events);
  }, groups);
}

/** The hidden parts of the last turn's card: above or below the transcript, or under another element. */
function covered(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const turn = [...document.querySelectorAll('.turn')].at(-1);
    const bottom = document.querySelector('.bottom')?.getBoundingClientRect().top ?? 0;
    const parts = [...(turn?.querySelectorAll('.card-title, .card-detail, .card .button') ?? [])];
    if (parts.length < 3) return ['the card is not there'];
    return parts
      .filter((part) => {
        const box = part.getBoundingClientRect();
        const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
        return box.top < 0 || box.bottom > bottom || (top !== part && !part.contains(top));
      })
      .map((part) => part.textContent ?? '');
  });
}

for (const [name, groups] of Object.entries({
  'in one message': [[added, failed]],
  'in two messages of one frame': [[added], [failed]],
  'with a notice above the composer': [[added], [failed, shown]],
  'after a notice': [[shown], [added], [failed]],
})) {
  test(`a question that fails immediately shows its whole card, ${name}`, async ({ previews }) => {
    const { page } = previews;
    for (const width of [280, 400]) {
      await page.setViewportSize({ width, height: 800 });
      await previews.show(panelPreview, 'conversation');
      await host(page, ...groups);
      await expect.poll(() => covered(page), `${width} px`).toEqual([]);
    }
  });
}

test('a user who reads further up stays there when a card appears', async ({ previews }) => {
  const { page } = previews;
  await previews.show(panelPreview, 'conversation');
  await host(page, [added]);
  const log = page.getByRole('log');
  await log.hover();
  await page.mouse.wheel(0, -200);
  const top = (): Promise<number> => log.evaluate((element) => element.scrollTop);
  const end = (): Promise<number> => log.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
  await expect.poll(async () => (await end()) - (await top())).toBeGreaterThan(100);
  // The wheel may scroll smoothly.
  const moves = async (): Promise<number> => {
    const from = await top();
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    return (await top()) - from;
  };
  await expect.poll(moves).toBe(0);
  const before = await top();
  await host(page, [failed]);
  await expect(page.getByTestId('card').last()).toBeAttached();
  expect(await covered(page)).not.toEqual([]);
  expect(await top()).toBe(before);
});

/** The parts with text that end beyond the right edge of the page, or of the card or receipt around them. */
function cutOff(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const parts = document.querySelectorAll('.card :is(.card-title, .card-detail, .button), .receipt :is(th, td, dd)');
    const edge = (part: Element): number =>
      Math.min(innerWidth, part.closest('.card, .receipt-body')?.getBoundingClientRect().right ?? innerWidth);
    return [...parts]
      .filter((part) => part.checkVisibility() && part.getBoundingClientRect().right > edge(part) + 1)
      .map((part) => `${part.className || part.tagName} ${part.textContent}`);
  });
}

test('in German, no part of a card or a receipt is cut off, however narrow the panel is', async ({ previews }) => {
  const { page } = previews;
  for (const state of ['receipts', 'messages', 'errors', 'tooLong', 'undelivered', 'confirmation', 'keyFound']) {
    for (const width of [180, 280, 400]) {
      await page.setViewportSize({ width, height: 900 });
      await previews.show(panelPreview, state, 'dark', 'de');
      await previews.openAll();
      await expect.poll(() => cutOff(page), `${state}, ${width} px`).toEqual([]);
    }
  }
});
