// Measures a question of 3 MB, with real frames.
import type { Browser, Page } from '@playwright/test';
import { mark, tasksDuring } from './painted.ts';

export interface Pasted {
  /** Work of the main thread until the pasted text is shown above the composer, in ms. */
  readonly shownMs: number;
  /** Work of the main thread from Enter until the question is shown as a turn, in ms. */
  readonly sentMs: number;
}

/** Pastes the text into the composer of an empty conversation, and sends it. */
export async function pasteQuestion(browser: Browser, page: Page): Promise<Pasted> {
  const { before, after } = await tasksDuring(browser, page, () =>
    page.evaluate(async (name) => {
      const text = 'const total = amounts.length;\n'.repeat(100_000);
      const has = async (id: string, count: number): Promise<void> => {
        while (document.querySelectorAll(`[data-testid=${id}]`).length !== count)
          await new Promise(requestAnimationFrame);
      };
      const host = (seq: number, event: object): void => window.postMessage({ type: 'events', seq, events: [event] });
      const given = JSON.parse(document.body.dataset.state ?? '{}');
      host(1, { type: 'snapshot', state: { ...given, conversationId: 'pasted', busy: false, turns: [] } });
      await has('turn', 0);
      const composer = document.querySelector('[data-testid=composer]');
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      const about = { bubbles: true, cancelable: true };
      composer?.dispatchEvent(new ClipboardEvent('paste', { ...about, clipboardData }));
      await has('pasted', 1);
      performance.mark(name);
      composer?.dispatchEvent(new KeyboardEvent('keydown', { ...about, key: 'Enter' }));
      await has('pasted', 0);
      const calls: readonly { method: string; params: { text: string } }[] = Reflect.get(window, 'calls');
      if (calls.find(({ method }) => method === 'send')?.params.text !== text) throw new Error('It was not sent.');
      const turn = { id: 'pasted', prompt: text, context: [], model: null, status: 'waiting', answer: '' };
      host(2, { type: 'turn-added', turn });
      await has('prompt', 1);
    }, mark),
  );
  const sum = (tasks: readonly number[]): number => tasks.reduce((all, ms) => all + ms, 0);
  return { shownMs: sum(before), sentMs: sum(after) };
}
