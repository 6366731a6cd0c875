// The search in the panel: its page in a separate browser, with turns and blocks that VS Code would need long to make.
import { type Browser, chromium, expect, type Page, test } from '@playwright/test';
import { build } from 'esbuild';
import type { ViewState } from '../../../src/protocol/panelEvents.ts';
import type { TurnView } from '../../../src/protocol/turnView.ts';
import { type Pages, servePages } from '../../bench/panel/server.ts';
import { findBrowser } from '../../tools/browser.ts';
import type { ViewFields } from '../../tools/turns.ts';
import { samples } from '../../unit/webview/samples.ts';

const code = (lines: number, last: string): string =>
  `\`\`\`ts title="src/pay.ts"\n${Array.from({ length: lines }, (_, at) => `const line${at} = ${at};`).join('\n')}\n${last}\n\`\`\``;

function turnOf(at: number, change: ViewFields = {}): TurnView {
  const answer = `Answer ${at} with **bold** words.\n\n- one\n- two`;
  const turn = { id: `t${at}`, prompt: `Question ${at}`, context: [], model: 'm', status: 'complete', answer };
  return { ...turn, ...change } as TurnView;
}

const turns: readonly TurnView[] = Array.from({ length: 120 }, (_, at) => {
  if (at === 2)
    return turnOf(at, { answer: 'The **needle**hay`stack` is <img src=x onerror="document.title=1"> here.' });
  if (at === 5) return turnOf(at, { answer: code(200, 'const deep = "needlehaystack";') });
  if (at === 8) return turnOf(at, { prompt: `${'A long question.\n'.repeat(2000)}NeedleHayStack` });
  if (at === 20 || at === 26) return turnOf(at, { answer: 'There is a **bold** lighthouse.' });
  if (at === 118)
    return turnOf(at, { thinking: 'Is there a needlehaystack?', thought: { label: 'Thought', isOpen: false } });
  return turnOf(at);
});

const state: ViewState = {
  conversationId: 'c',
  model: 'm',
  posture: { label: '', short: '', headers: [], problems: [] },
  mayKeepDraft: true,
  messageLimit: { bytes: 4_000_000, words: 'This is too large.' },
  busy: false,
  attachments: [],
  messages: [],
  attachmentProblem: '',
  tools: { count: 0, label: 'Tools: off', reason: '' },
  mode: { label: 'Ask', detail: 'Answers questions.', whyNoChange: '' },
  starters: { items: [], hint: { text: '', names: [] } },
  turns,
};

let browser: Browser;
let pages: Pages;
let page: Page;

test.beforeAll(async () => {
  pages = await servePages(state, []);
  browser = await chromium.launch(await findBrowser());
});

test.afterAll(async () => {
  await browser.close();
  pages.close();
});

test.beforeEach(async () => {
  const context = await browser.newContext({ viewport: { width: 320, height: 700 } });
  page = await context.newPage();
  await page.goto(`${pages.address}/panel`);
  await expect(page.getByTestId('answer').last()).toContainText('Answer 119');
});

test.afterEach(() => page.context().close());

const host = (...events: readonly unknown[]): Promise<void> =>
  page.evaluate((given) => {
    const { host } = window as unknown as { host(...events: readonly unknown[]): void };
    host(...given);
  }, events);

const input = () => page.getByTestId('find-text');
const count = () => page.getByTestId('find-count');

/** The text of the current match, if it is in sight. */
function marked(): Promise<string> {
  return page.evaluate(() => {
    const [range] = CSS.highlights.get('svc-find-current') ?? [];
    if (!(range instanceof StaticRange)) return '';
    const live = document.createRange();
    live.setStart(range.startContainer, range.startOffset);
    live.setEnd(range.endContainer, range.endOffset);
    const { top, bottom } = live.getBoundingClientRect();
    const at = document.elementFromPoint(live.getClientRects()[0]?.left ?? 0, (top + bottom) / 2);
    return at !== null && live.startContainer.parentElement?.closest('[data-turn], .summary')?.contains(at) === true
      ? live.toString()
      : 'out of sight';
  });
}

/** The background of a mark in the transcript, as it would be now. */
function markColor(): Promise<string> {
  return page
    .locator('.turns')
    .evaluate((element) => getComputedStyle(element, '::highlight(svc-find-current)').backgroundColor);
}

/** Replaces the turns up to this one with a summary. */
async function summarize(upTo: number, text: string): Promise<void> {
  const summary = { text, label: `Summary of ${upTo + 1} turns.`, footer: '' };
  const { prompt: _, answer: __, ...meta } = turnOf(upTo, { summary });
  await host({ type: 'turn-changed', turn: meta });
  await expect(page.getByTestId('summary')).toBeAttached();
}

async function search(text: string): Promise<void> {
  await host({ type: 'find-wanted' });
  await expect(input()).toBeFocused();
  await input().fill(text);
}

/** Turns that are not drawn immediately are drawn only after `goOn`. */
async function holdOlderTurns(): Promise<void> {
  await page.addInitScript(() => {
    const held: (() => void)[] = [];
    const idle = window.requestIdleCallback.bind(window);
    window.requestIdleCallback = (callback) => held.push(() => idle(callback));
    Object.assign(window, {
      goOn: () => {
        window.requestIdleCallback = idle;
        for (const start of held) start();
      },
    });
  });
}

const goOn = (): Promise<void> => page.evaluate(() => (window as unknown as { goOn(): void }).goOn());

test('a match stays in sight while turns above and below it are drawn', async () => {
  await holdOlderTurns();
  for (const by of [1, 2, 3]) {
    await page.reload();
    await expect(page.getByTestId('answer').last()).toContainText('Answer 119');
    await search('needlehaystack');
    await expect(count()).toHaveText('4 of 4');
    for (let step = 1; step <= by; step += 1) {
      await input().press('Enter');
      await expect(count()).toHaveText(`${step} of 4`);
      await expect.poll(marked).toMatch(/^needlehaystack$/i);
    }
    expect(await page.locator('[data-turn]').count()).toBeLessThan(turns.length);

    await goOn();
    await expect(page.locator('[data-turn]')).toHaveCount(turns.length);
    await expect.poll(marked).toMatch(/^needlehaystack$/i);
  }
});

/** Shows the second of two matches, below the first one; the turns between them are not drawn. */
async function searchLighthouse(): Promise<void> {
  await holdOlderTurns();
  await page.reload();
  await expect(page.getByTestId('answer').last()).toContainText('Answer 119');
  await search('lighthouse');
  await expect.poll(marked).toBe('lighthouse');
  await input().press('Enter');
  await expect(count()).toHaveText('1 of 2');
  await expect.poll(marked).toBe('lighthouse');
  await input().press('Enter');
  await expect(count()).toHaveText('2 of 2');
  await expect.poll(marked).toBe('lighthouse');
  await expect(page.locator('[data-turn=t20]')).toBeInViewport();
}

test('a match stays in sight while turns are drawn between it and the match before', async () => {
  await searchLighthouse();
  await goOn();
  await expect(page.locator('[data-turn]')).toHaveCount(turns.length);
  await expect.poll(marked).toBe('lighthouse');
});

test('a user who scrolls on from a match is not brought back to it', async () => {
  await searchLighthouse();
  await page.locator('[data-turn=t26]').hover();
  await page.mouse.wheel(0, 600);
  await expect.poll(marked).toBe('out of sight');
  await goOn();
  await expect(page.locator('[data-turn]')).toHaveCount(turns.length);
  expect(await marked()).toBe('out of sight');
});

test('a user who asks during a search is shown the new question', async () => {
  await searchLighthouse();
  await host({ type: 'turn-added', turn: turnOf(120, { answer: '', status: 'waiting' }) });
  await goOn();
  await expect(page.locator('[data-turn]')).toHaveCount(turns.length + 1);
  await expect(page.locator('[data-turn=t120]')).toBeInViewport();
});

test('a match in a summary stays in sight while turns before the summary are drawn', async () => {
  await holdOlderTurns();
  await page.reload();
  await expect(page.getByTestId('answer').last()).toContainText('Answer 119');
  await summarize(60, 'The NEEDLEhaystack is decided.');
  await search('needlehaystack');
  for (const number of [5, 1, 2, 3, 4]) {
    await expect(count()).toHaveText(`${number} of 5`);
    await expect.poll(marked).toMatch(/^needlehaystack$/i);
    if (number !== 4) await input().press('Enter');
  }
  expect(await page.locator('[data-turn]').count()).toBeLessThan(turns.length);

  await goOn();
  await expect(page.locator('[data-turn]')).toHaveCount(turns.length);
  await expect.poll(marked).toBe('NEEDLEhaystack');
});

test('a text is found in turns that are not drawn, in folded code, questions and thinking, and across formats', async () => {
  await page.getByTestId('composer').focus();
  await search('needlehaystack');
  await expect(count()).toHaveText('4 of 4');
  await expect.poll(marked).toBe('needlehaystack');
  expect(await markColor()).not.toBe('rgba(0, 0, 0, 0)');
  await expect(page.getByTestId('thinking')).toHaveAttribute('open');
  await expect(page.getByRole('status').filter({ hasText: '4 of 4' })).toHaveCount(1);

  await input().press('Enter');
  await expect(count()).toHaveText('1 of 4');
  await expect.poll(marked).toBe('needlehaystack');
  await input().press('Enter');
  await expect(count()).toHaveText('2 of 4');
  await expect.poll(marked).toBe('needlehaystack');
  await expect(page.locator('[data-turn=t5] .code-block')).not.toHaveClass(/folded/);
  await page.getByTestId('find-next').click();
  await expect(count()).toHaveText('3 of 4');
  await expect.poll(marked).toBe('NeedleHayStack');
  await input().press('Shift+Enter');
  await expect(count()).toHaveText('2 of 4');
  await expect.poll(marked).toBe('needlehaystack');

  // No markup of an answer, and no part of the search, becomes an element.
  await expect(page.locator('.answer img')).toHaveCount(0);
  await expect(page).toHaveTitle('Svc');
  expect(await page.locator('.answer').locator('mark, .find').count()).toBe(0);

  await input().press('Escape');
  await expect(page.getByTestId('find')).toHaveCount(0);
  await expect(page.getByTestId('composer')).toBeFocused();
  await expect.poll(() => page.evaluate(() => CSS.highlights.size)).toBe(0);
  // The rules for marks make every element cost more.
  expect(await markColor()).toBe('rgba(0, 0, 0, 0)');
});

test('a match in the line of a tool call leaves it closed; one in its input opens it', async () => {
  const step = {
    id: '0',
    at: 0,
    title: 'Read src/ferry.ts',
    state: 'done',
    note: 'ferry',
    input: '{ "path": "ferryboat" }',
  } as const;
  const { prompt: _, answer: __, ...meta } = turnOf(118, { steps: [step] });
  await host({ type: 'turn-changed', turn: meta });
  await search('ferry');
  const details = page.locator('details[data-testid=step]');
  for (const [at, isOpen] of [
    ['1 of 3', false],
    ['2 of 3', false],
    ['3 of 3', true],
  ] as const) {
    if (at !== '1 of 3') await input().press('Enter');
    await expect(count()).toHaveText(at);
    await expect.poll(marked).toBe('ferry');
    await expect(details).toHaveJSProperty('open', isOpen);
  }
});

test('what is not there says so; the selection is what is searched for; another conversation ends the search', async () => {
  await search('no such text');
  const none = page.getByTestId('find-none');
  await expect(none).toContainText('No results');
  await expect(count()).toHaveText('');
  await expect(page.getByTestId('find-next')).toHaveAttribute('aria-disabled', 'true');
  await input().press('Enter');
  await none.getByRole('button', { name: 'Clear Search' }).click();
  await expect(input()).toHaveValue('');
  await expect(input()).toBeFocused();
  await expect(none).toHaveCount(0);
  await input().press('Escape');
  await page.locator('[data-turn=t119] strong').selectText();
  await host({ type: 'find-wanted' });
  await expect(input()).toHaveValue('bold');
  await expect(count()).toHaveText(/of 118$/);
  await host({ type: 'snapshot', state: { ...state, conversationId: 'other', turns: [] } });
  await expect(page.getByTestId('find')).toHaveCount(0);
});

test('turns that a summary replaces are shown again for a match in them, and the summary is searched, too', async () => {
  await summarize(60, 'The NEEDLEhaystack is decided.');
  await search('is decided');
  await expect(count()).toHaveText('1 of 1');
  await expect.poll(marked).toBe('is decided');
  await expect(page.locator('[data-turn=t59]')).toHaveCount(0);
  await input().fill('needlehaystack');
  await expect(count()).toHaveText('5 of 5');
  for (const number of [1, 2, 3, 4]) {
    await input().press('Enter');
    await expect(count()).toHaveText(`${number} of 5`);
    await expect.poll(async () => (await marked()).toLowerCase()).toBe('needlehaystack');
  }
});

test('while an answer is written, its matches are counted, and the page stays where the match is', async () => {
  const live = turnOf(120, { answer: '', status: 'streaming' });
  await host({ type: 'turn-added', turn: live }, { type: 'busy-changed', busy: true });
  await search('Answer 117');
  await expect(count()).toHaveText('1 of 1');
  await expect.poll(marked).toBe('Answer 117');
  for (let at = 0; at < 40; at += 1) {
    await host(
      { type: 'delta', turnId: 'live', text: '' },
      { type: 'delta', turnId: 't120', text: 'So answer 117.\n\n' },
    );
  }
  await expect(count()).toHaveText('1 of 41');
  await expect.poll(marked).toBe('Answer 117');
  // Esc ends the search, and not the answer.
  await input().press('Escape');
  const calls = await page.evaluate(() => (window as unknown as { calls: { method: string }[] }).calls);
  expect(calls.map(({ method }) => method)).not.toContain('stop');
});

test('the blocks that are searched are those of the page, whatever an answer has', async () => {
  const contents = `
    export { blocksIn } from './src/webview/find/pageText.ts';
    export { fields, textsOf } from './src/webview/find/turnTexts.ts';
  `;
  const { outputFiles } = await build({
    ...{ stdin: { contents, resolveDir: process.cwd(), loader: 'ts' }, globalName: 'find' },
    ...{ bundle: true, format: 'iife', platform: 'browser', write: false },
  });
  const step = {
    id: 's',
    at: 0,
    title: 'Read a\u202eb',
    state: 'done',
    note: 'allowed',
    input: '{}',
    result: 'text',
  } as const;
  const given = Object.values(samples).map((answer, at) =>
    turnOf(at, { answer, context: ['src/pay.ts'], steps: [step, { ...step, id: 'r', state: 'running' }] }),
  );
  const context = await browser.newContext({ bypassCSP: true });
  page = await context.newPage();
  await page.goto(`${pages.address}/panel`);
  await host({ type: 'snapshot', state: { ...state, conversationId: 'samples', turns: given } });
  await expect(page.getByTestId('turn')).toHaveCount(given.length);
  await page.addScriptTag({ content: `${outputFiles[0]?.text ?? ''};globalThis.find = find;` });
  const differing = (): Promise<readonly unknown[]> =>
    page.evaluate((turns) => {
      type Find = typeof import('../../../src/webview/find/pageText.ts') &
        typeof import('../../../src/webview/find/turnTexts.ts');
      const { blocksIn, fields, textsOf } = Reflect.get(globalThis, 'find') as Find;
      return turns.flatMap((turn) =>
        fields.flatMap((field) => {
          const element = document.querySelector(`[data-turn="${turn.id}"]`);
          const shown = element === null ? [] : blocksIn(element, field).map(({ text }) => text);
          // Characters that reorder the text are shown by their code.
          const expected = textsOf(turn)[field].map((text) => text.replaceAll('\u202e', '[U+202E]'));
          const words = (texts: readonly string[]): string =>
            JSON.stringify(texts.filter((text) => text.trim() !== ''));
          return words(shown) === words(expected) ? [] : [{ turn: turn.answer, field, shown, expected }];
        }),
      );
    }, given);
  // An answer is drawn when its renderer is loaded.
  await expect.poll(differing).toEqual([]);
});
