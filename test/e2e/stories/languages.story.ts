import type { Page } from '@playwright/test';
import { unwrapped } from '../../tools/pseudo.ts';
import { auditPreview, expect, panelPreview, test } from '../previews.ts';

// Each in its own page.
test.describe.configure({ mode: 'parallel' });

/** Every text and every label of the page, except the model's answers. */
function textsOfPage(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const walk = (element: Element): void => {
      const isModels = element.closest('.answer') !== null && element.closest('button') === null;
      // One text, in parts: it breaks between them, a narrow panel hides one, or one is a name.
      if (!isModels && element.matches('[data-testid=footer], .model-label, :has(> bdi)')) {
        found.push(element.textContent ?? '');
        return;
      }
      if (!isModels) {
        for (const name of ['title', 'aria-label', 'aria-description', 'aria-valuetext', 'placeholder', 'alt']) {
          found.push(element.getAttribute(name) ?? '');
        }
      }
      for (const node of element.childNodes) {
        if (node instanceof Element) walk(node);
        else if (node instanceof Text && !isModels) found.push(node.data);
      }
    };
    for (const element of document.body.children) if (element.localName !== 'script') walk(element);
    return found.map((text) => text.trim()).filter((text) => text !== '');
  });
}

async function english(page: Page): Promise<readonly string[]> {
  const texts = await textsOfPage(page);
  expect(texts.length).toBeGreaterThan(5);
  return texts.filter((text) => unwrapped(text) !== undefined);
}

/** The words of buttons that are broken. A name in a button may be longer than any line. */
function brokenWords(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('button')].flatMap((button) => {
      const range = document.createRange();
      const words: string[] = [];
      const walker = document.createTreeWalker(button, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        if (node.parentElement?.closest('bdi') !== null) continue;
        for (const { 0: word, index } of (node.textContent ?? '').matchAll(/\p{L}+/gu)) {
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
          if (lines.size > 1) words.push(word);
        }
      }
      return words;
    }),
  );
}

for (const preview of [panelPreview, auditPreview]) {
  test(`${preview.name}: every text, in every state, can be translated`, async ({ previews }) => {
    for (const state of preview.states) {
      await previews.show(preview, state, 'dark', 'pseudo');
      await previews.openAll();
      expect.soft(await english(previews.page), state).toEqual([]);
    }
  });

  test(`${preview.name}: longer words make nothing wider than a narrow side bar`, async ({ previews }) => {
    await previews.page.setViewportSize({ width: 280, height: 900 });
    for (const state of preview.states) {
      for (const language of ['de', 'pseudo'] as const) {
        await previews.show(preview, state, 'dark', language);
        await previews.openAll();
        expect.soft(await previews.tooWide(), `${state} ${language}`).toBe(0);
      }
    }
  });
}

test('button labels after a press can be translated', async ({ previews }) => {
  await previews.show(panelPreview, 'conversation', 'dark', 'pseudo');
  const { page } = previews;
  await page.getByTestId('copy-code').first().click();
  await page.getByTestId('copy-answer').click();
  await expect(page.getByTestId('copy-answer')).toHaveAttribute('title', '⟦Cóópííééð⟧');
  expect(await english(page)).toEqual([]);
});

test('no word of a German button is broken, also at 180 px', async ({ previews }) => {
  for (const width of [180, 280]) {
    await previews.page.setViewportSize({ width, height: 900 });
    for (const state of panelPreview.states) {
      await previews.show(panelPreview, state, 'dark', 'de');
      expect.soft(await brokenWords(previews.page), `${state} ${width}`).toEqual([]);
    }
  }
});
