import type { Page } from '@playwright/test';
import type { ViewEvent } from '../../../src/protocol/panelEvents.ts';
import { previewStates } from '../../tools/panelPreview/states.ts';
import { expect, panelPreview, test } from '../previews.ts';

// Each in its own page.
test.describe.configure({ mode: 'parallel' });

/** The test id, the name or the tag of what has the focus. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    const { testid } = (element as HTMLElement | null)?.dataset ?? {};
    return testid ?? element?.getAttribute('aria-label') ?? element?.textContent?.slice(0, 40) ?? '';
  });
}

/** What has the focus after each of some keys. */
async function after(page: Page, ...keys: readonly string[]): Promise<readonly string[]> {
  const seen: string[] = [];
  for (const key of keys) {
    await page.keyboard.press(key);
    seen.push(await focused(page));
  }
  return seen;
}

function calls(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    (globalThis as unknown as { calls: readonly { method: string }[] }).calls.map(({ method }) => method),
  );
}

test('arrow keys enter a part of a turn; from its second element on, Tab stops at each, both ways', async ({
  previews,
}) => {
  const { page } = previews;
  await previews.show(panelPreview, 'branches');
  const stops = (): Promise<readonly string[]> => after(page, 'Tab', 'Tab', 'Tab', 'Tab');
  await page.getByRole('log').focus();
  // The question, and the line below the answer, of both turns.
  expect(await stops()).toEqual(['edit', 'refresh', 'edit', 'refresh']);
  expect(await after(page, 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'ArrowLeft')).toEqual([
    ...['copy-answer', 'copy-answer', 'refresh', 'refresh'],
  ]);
  expect(await after(page, 'Tab')).toEqual(['composer']);
  // Back from below, the part begins with its first element.
  expect(await after(page, 'Shift+Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab')).toEqual([
    ...['refresh', 'edit', 'refresh', 'edit'],
  ]);
  expect(await after(page, 'ArrowDown', 'Tab', 'Tab')).toEqual(['chevron-left', 'chevron-right', 'refresh']);
  expect(await after(page, 'ArrowRight', 'Shift+Tab', 'Shift+Tab')).toEqual(['copy-answer', 'refresh', 'edit']);
});

test('the code, links and tables of an answer are one stop, and are reached from there', async ({ previews }) => {
  const { page } = previews;
  await page.setViewportSize({ width: 300, height: 700 });
  await previews.show(panelPreview, 'conversation');
  await page.getByRole('log').focus();
  const [question, answer, footer, composer] = await after(page, 'Tab', 'Tab', 'Tab', 'Tab');
  expect([question, footer, composer]).toEqual(['edit', 'refresh', 'composer']);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  expect(await focused(page)).toBe(answer);
  // Each button of each code block has its turn.
  const seen = new Set<string>();
  await page.keyboard.press('ArrowDown');
  for (let at = 0; at < 60 && (await focused(page)) !== 'refresh'; at += 1) {
    seen.add(await focused(page));
    await page.keyboard.press('Tab');
  }
  for (const id of ['insert-code', 'newFile-code', 'copy-code']) expect([...seen]).toContain(id);
  // In code that is wider than the panel, an arrow key scrolls.
  const code = page.locator('.code-block pre').first();
  await code.focus();
  await page.keyboard.press('ArrowRight');
  await expect(code).toBeFocused();
});

test('a confirmation and a tool call that wait have a stop for each button', async ({ previews }) => {
  const { page } = previews;
  await previews.show(panelPreview, 'confirmation');
  await page.getByTestId('send-masked').focus();
  expect(await after(page, 'Tab', 'Tab', 'Tab')).toEqual(['send-as-is', 'show-exact-text', 'cancel-send']);
  await previews.show(panelPreview, 'toolAsking');
  await page.getByTestId('allow-once').focus();
  expect(await after(page, 'Tab', 'Tab')).toEqual(['allow-conversation', 'deny']);
  await previews.show(panelPreview, 'toolAskingOnce');
  await page.getByTestId('allow-once').focus();
  expect(await after(page, 'Tab')).toEqual(['deny']);
  await expect(page.getByTestId('allow-conversation')).toHaveCount(0);
});

test('Alt+PageUp and Alt+PageDown go from answer to answer, and say which; then to the composer', async ({
  previews,
}) => {
  const { page } = previews;
  await previews.show(panelPreview, 'errors');
  const { turns = [] } = previewStates(0).receipts ?? {};
  const added: ViewEvent[] = turns.map((turn, index) => ({ type: 'turn-added', turn: { ...turn, id: `r${index}` } }));
  await page.evaluate((events) => {
    (globalThis as unknown as { host(...events: readonly unknown[]): void }).host(...events);
  }, added);
  await expect(page.getByTestId('turn')).toHaveCount(4);
  await expect(page.getByTestId('answer').last()).toContainText('Too many');
  const status = page.getByRole('status').first();
  const composer = page.getByTestId('composer');
  await composer.fill('half a question');
  for (const [number, id] of [
    [4, 'answer'],
    [3, 'answer'],
    [2, 'answer'],
    // It failed without text.
    [1, 'turn'],
    [1, 'turn'],
  ] as const) {
    expect(await after(page, 'Alt+PageUp')).toEqual([id]);
    await expect(status).toHaveText(`Answer ${number} of 4`);
    await expect(
      page
        .getByTestId('turn')
        .nth(number - 1)
        .locator('*:focus')
        .or(page.locator('.turn:focus')),
    ).toBeInViewport();
  }
  expect(await after(page, 'Alt+PageDown', 'Alt+PageDown', 'Alt+PageDown')).toEqual(['answer', 'answer', 'answer']);
  expect(await after(page, 'Alt+PageDown', 'Alt+PageDown')).toEqual(['composer', 'composer']);
  await expect(composer).toHaveValue('half a question');
  // From an answer, Tab goes on from there.
  await page.keyboard.press('Alt+PageUp');
  expect(await after(page, 'Tab')).toEqual(['Service reports different settings']);
  // A click on an answer does not focus it.
  await page.getByTestId('answer').last().click();
  await expect(page.getByTestId('answer').last()).not.toBeFocused();
});

test('a list that Esc has closed opens again for a new word, also where the last one began', async ({ previews }) => {
  const { page } = previews;
  await previews.show(panelPreview, 'conversation');
  const composer = page.getByTestId('composer');
  const asked = (): Promise<unknown> =>
    page.evaluate(() => {
      const { calls } = globalThis as unknown as { calls: readonly { method: string; params: { query: string } }[] };
      return calls.flatMap(({ method, params }) => (method === 'complete' ? [params.query] : []));
    });
  // The button writes the @, and Esc takes it back.
  await page.getByTestId('attach').click();
  await page.keyboard.press('Escape');
  await expect(composer).toHaveValue('');
  await page.keyboard.type('@a');
  expect(await asked()).toEqual(['', '', 'a']);
  // The list stays closed for this word, and the message is sent.
  await page.keyboard.press('Escape');
  await page.keyboard.type('b');
  await page.keyboard.press('Enter');
  await expect(composer).toHaveValue('');
  expect(await asked()).toEqual(['', '', 'a']);
  await page.keyboard.type('@c');
  expect(await asked()).toEqual(['', '', 'a', '', 'c']);
});

test('Alt+F1 asks for the accessibility help, anywhere in the panel', async ({ previews }) => {
  const { page } = previews;
  await previews.show(panelPreview, 'conversation');
  for (const part of [page.getByTestId('composer'), page.getByRole('log'), page.getByTestId('send')]) {
    const { length } = (await calls(page)).filter((method) => method === 'showHelp');
    await part.focus();
    await part.press('Alt+F1');
    expect((await calls(page)).filter((method) => method === 'showHelp')).toHaveLength(length + 1);
  }
  await expect(page.getByTestId('composer')).not.toHaveAttribute('aria-description', /./);
  await page.addInitScript(() => {
    document.addEventListener('readystatechange', () => document.body?.classList.add('vscode-using-screen-reader'));
  });
  await previews.show(panelPreview, 'conversation');
  await expect(page.getByTestId('composer')).toHaveAccessibleDescription('Alt+F1 opens the accessibility help.');
});

test('Undo and Redo in a message also work across the list of context, a sent message and a recalled one', async ({
  previews,
}) => {
  const { page } = previews;
  await previews.show(panelPreview, 'conversation');
  const composer = page.getByTestId('composer');
  await composer.focus();
  await page.keyboard.type('hello');
  await page.getByTestId('attach').click();
  await page.keyboard.press('Escape');
  await page.keyboard.type('you');
  await expect(composer).toHaveValue('hello you');
  for (let count = 0; count < 6; count += 1) await page.keyboard.press('Control+Z');
  await expect(composer).toHaveValue('');
  for (let count = 0; count < 6; count += 1) await page.keyboard.press('Control+Shift+Z');
  await expect(composer).toHaveValue('hello you');
  await page.keyboard.press('Enter');
  await expect(composer).toHaveValue('');
  await page.keyboard.type('more');
  await page.keyboard.press('ArrowUp');
  await expect(composer).toHaveValue(/^Why does this retry/);
  for (const value of ['more', '', 'hello you']) {
    await page.keyboard.press('Control+Z');
    await expect(composer).toHaveValue(value);
  }
  for (let count = 0; count < 3; count += 1) await page.keyboard.press('Control+Shift+Z');
  await expect(composer).toHaveValue(/^Why does this retry[\s\S]*attempts\.$/);
});
