// Measures the search in a conversation, with real frames.
import type { Browser, Page } from '@playwright/test';
import { mark, tasksDuring } from './painted.ts';
import { conversation } from './texts.ts';

export interface Searched {
  /** Work of the main thread from the text to its only match, scrolled to and marked, in ms. */
  readonly firstMs: number;
  /** The longest task while the user scrolls through matches, in ms. */
  readonly scrollTaskMs: number;
}

/** Searches 500 turns that have just been opened, for a text across two formats of the oldest, which are not drawn. */
export async function searchConversation(browser: Browser, page: Page): Promise<Searched> {
  const turns = conversation(500).map(({ prompt, answer }, index) => ({
    ...{ id: `t${index}`, prompt, context: [], model: 'm', status: 'complete' },
    answer: index === 3 ? `${answer}\n\nThe **needle**haystack.` : answer,
  }));
  await page.evaluate((given) => Object.assign(window, { given }), turns);
  await page.evaluate(async () => {
    const given: readonly unknown[] = Reflect.get(window, 'given');
    const state = { ...JSON.parse(document.body.dataset.state ?? '{}'), conversationId: 'long', turns: given };
    const has = async (selector: string, count: number): Promise<void> => {
      while (document.querySelectorAll(selector).length < count) await new Promise(requestAnimationFrame);
    };
    window.postMessage({ type: 'events', seq: 1, events: [{ type: 'snapshot', state }, { type: 'find-wanted' }] });
    await has('.blocks', 20);
    await has('[data-testid=find-text]', 1);
  });
  const { before, after } = await tasksDuring(browser, page, () =>
    page.evaluate(async (name) => {
      const find = async (text: string): Promise<void> => {
        const input = document.querySelector('[data-testid=find-text]');
        if (!(input instanceof HTMLInputElement)) throw new Error('There is no search.');
        input.value = text;
        input.dispatchEvent(new InputEvent('input', { bubbles: true }));
        while (!isMarked(text)) await new Promise(requestAnimationFrame);
      };
      const isMarked = (text: string): boolean => {
        const [range] = CSS.highlights.get('svc-find-current') ?? [];
        if (!(range instanceof StaticRange)) return false;
        const live = document.createRange();
        live.setStart(range.startContainer, range.startOffset);
        live.setEnd(range.endContainer, range.endOffset);
        const { top } = live.getBoundingClientRect();
        return live.toString() === text && top > 0 && top < innerHeight;
      };
      await find('needlehaystack');
      performance.mark(name);
      await find('value');
      for (let frame = 0; frame < 120; frame += 1) {
        document.querySelector('.transcript')?.scrollBy(0, 60);
        await new Promise(requestAnimationFrame);
      }
    }, mark),
  );
  return { firstMs: before.reduce((sum, ms) => sum + ms, 0), scrollTaskMs: Math.max(...after) };
}
