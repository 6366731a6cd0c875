// The panel's page in a separate browser, without VS Code: the rendering of an answer, in pieces or whole.
import { type Browser, chromium, expect, type Page, test } from '@playwright/test';
import type { TurnView } from '../../../src/protocol/turnView.ts';
import { type Pages, servePages } from '../../bench/panel/server.ts';
import { findBrowser } from '../../tools/browser.ts';
import { richAnswer } from '../../tools/panelPreview/answers.ts';
import { samples } from '../../unit/webview/samples.ts';
import { state, stream, tell, turn } from '../panelPage.ts';

const hostile = [
  '![x](https://tracker.invalid/pixel.png)',
  '<img src="https://tracker.invalid/a.png"><style>@import "https://tracker.invalid/a.css"</style>',
  '[run](command:workbench.action.quit) [file](file:///etc/passwd) [safe](https://example.com/a)',
].join('\n\n');

let browser: Browser;
let pages: Pages;
let page: Page;

test.describe.configure({ mode: 'default' });

test.beforeAll(async () => {
  pages = await servePages(state, []);
  browser = await chromium.launch(await findBrowser());
});

test.afterAll(async () => {
  await browser.close();
  pages.close();
});

test.beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 320, height: 700 } });
  await page.goto(`${pages.address}/panel`);
  await expect(page.getByTestId('answer')).toContainText('Hello.');
});

test.afterEach(() => page.close());

const long = {
  list: Array.from(
    { length: 120 },
    (_, at) => `- item **${at}** with words\n${at % 30 === 7 ? '  ```ts\n  let a;\n  ```\n' : ''}`,
  ).join(''),
  'loose list': Array.from({ length: 90 }, (_, at) => `${at + 1}. item ${at}\n${at === 60 ? '\n' : ''}`).join(''),
  table: `| a | b |\n|---|--:|\n${Array.from({ length: 120 }, (_, at) => `| ${at} | \`x\` |\n`).join('')}\nend`,
};

test('an answer that arrives in pieces looks like one that arrives whole', async () => {
  for (const [name, text] of Object.entries({ ...samples, rich: richAnswer, ...long })) {
    const size = Math.max(7, Math.ceil(text.length / 60));
    await tell(page, { type: 'turn-added', turn: { ...turn, id: `${name} whole`, answer: text } });
    await stream(page, `${name} in pieces`, text, size);
    const html = (place: number): Promise<string> => page.getByTestId('answer').nth(place).innerHTML();
    // Colors appear a little later; in a whole answer, only when a block becomes visible.
    for (const block of await page.getByTestId('answer').nth(-2).getByTestId('code-block').all()) {
      await block.scrollIntoViewIfNeeded();
    }
    await expect(async () => expect(await html(-1), name).toBe(await html(-2))).toPass();
  }
});

test('the user’s text selection stays while the answer continues', async () => {
  const { answer: _, ...meta } = { ...turn, id: 'selected', status: 'streaming' as const };
  await tell(page, { type: 'turn-added', turn: { ...meta, answer: '' } });
  await tell(page, { type: 'delta', turnId: 'selected', text: 'Some words of a paragraph' });
  await page.getByText('Some words').selectText();
  const before = await page.evaluate(() => String(getSelection()));
  await tell(page, { type: 'delta', turnId: 'selected', text: ' that goes on' });
  await expect(page.getByText('that goes on')).toBeVisible();
  expect(await page.evaluate(() => String(getSelection()))).toContain(before);
});

test('an answer fetches nothing, and only safe links are links', async () => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await stream(page, 'hostile', hostile, 20);
  const answer = page.getByTestId('answer').last();
  await expect(answer).toContainText('safe');
  await expect(answer.locator('img, style, iframe, script')).toHaveCount(0);
  const links = await answer.locator('a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  // Addresses in plain text are links too: nothing happens before the user clicks.
  const tracked = ['pixel.png', 'a.png', 'a.css'].map((name) => `https://tracker.invalid/${name}`);
  expect(links).toEqual([...tracked, 'https://example.com/a']);
  expect(asked.filter((url) => !url.startsWith(pages.address))).toEqual([]);
  const safe = answer.getByText('safe');
  await expect(safe).toHaveAttribute('title', 'https://example.com/a');
  await safe.click();
  const call = (): Promise<unknown> =>
    page.evaluate(() => (Reflect.get(window, 'calls') as readonly { readonly method: string }[]).at(-1));
  await expect.poll(call).toEqual({ method: 'openLink', params: { href: 'https://example.com/a' } });
});

test('code is colored when its block closes, not before', async () => {
  const { answer: _, ...meta } = { ...turn, id: 'code', status: 'streaming' as const };
  await tell(page, { type: 'turn-added', turn: { ...meta, answer: '' } });
  await tell(page, { type: 'delta', turnId: 'code', text: '```ts\nconst a = 1;\n' });
  const block = page.getByTestId('code-block').last();
  await expect(block).toContainText('const a = 1;');
  await expect(block.locator('[class^=ink-]')).toHaveCount(0);
  await tell(page, { type: 'delta', turnId: 'code', text: '```\n' });
  await expect(block.locator('[class^=ink-]').first()).toBeVisible();
});

test('a wide table scrolls inside itself', async () => {
  const cells = Array.from({ length: 12 }, (_, at) => ` column_number_${at} `).join('|');
  const table = `|${cells}|\n|${'---|'.repeat(12)}\n|${cells}|\n`;
  await stream(page, 'wide', table, 100);
  const scrolls = page.locator('.table-scroll').last();
  await expect(scrolls).toBeVisible();
  expect(await scrolls.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});

test('a long conversation opens at its end, loads older turns without a jump, and follows the next one', async () => {
  const turns = Array.from({ length: 70 }, (_, at) => ({
    ...turn,
    id: `t${at}`,
    prompt: `Question ${at}`,
    answer: `Answer ${at}.\n\n${'Some more words. '.repeat(40)}`,
  }));
  const shown = page.getByTestId('turn');
  const top = (at: number): Promise<number> =>
    shown.filter({ hasText: `Answer ${at}.` }).evaluate((element) => element.getBoundingClientRect().top);
  await tell(page, { type: 'snapshot', state: { ...state, conversationId: 'long', turns } });
  await expect(shown.last()).toContainText('Answer 69.');
  await expect(shown.last()).toBeInViewport();
  // Scrolls up with the wheel, as to read, while the older ones are added: first as little as a smooth scroll begins with.
  await page.getByRole('log').hover();
  const below = ({ scrollHeight, clientHeight, scrollTop }: Element): number => scrollHeight - clientHeight - scrollTop;
  await page.mouse.wheel(0, -10);
  await expect.poll(() => page.getByRole('log').evaluate(below)).toBeCloseTo(10, 0);
  const drawn = await shown.count();
  await expect.poll(() => shown.count()).toBeGreaterThan(Math.min(drawn, 69));
  await expect.poll(() => page.getByRole('log').evaluate(below)).toBeCloseTo(10, 0);
  await page.mouse.wheel(0, -290);
  await expect.poll(() => page.getByRole('log').evaluate(below)).toBeCloseTo(300, 0);
  const before = await top(68);
  await expect(shown).toHaveCount(70);
  await expect.poll(async () => Math.abs((await top(68)) - before)).toBeLessThanOrEqual(1);
  expect(
    await shown.evaluateAll((all) => all.map((element) => /Question (\d+)/.exec(element.textContent)?.[1])),
  ).toEqual(turns.map((_, at) => String(at)));

  await shown.first().scrollIntoViewIfNeeded();
  await expect(shown.first()).toContainText('Answer 0.');
  await stream(page, 'next', 'The next answer.', 8);
  await expect(shown).toHaveCount(71);
  await expect(shown.last()).toContainText('The next answer.');
});

test('thinking grows as plain text, follows its end, and stays open or closed when it ends', async () => {
  const thought = { label: 'Thinking…', isOpen: true };
  const asked: TurnView = { ...turn, id: 'second', status: 'waiting', answer: '' };
  const { prompt: _, answer: __, ...meta } = asked;
  await tell(page, { type: 'turn-added', turn: asked }, { type: 'turn-changed', turn: { ...meta, thought } });
  await tell(page, { type: 'thinking', turnId: 'second', text: hostile });
  const line = page.locator('details.thinking');
  const text = page.getByTestId('thinking-text');
  await expect(line.locator('summary')).toHaveText('Thinking…');
  await expect(text).toBeHidden();
  await line.locator('summary').press('Enter');
  await expect(text).toHaveText(hostile, { useInnerText: true });
  expect(await text.evaluate((element) => element.childElementCount)).toBe(0);

  const fromEnd = (): Promise<number> =>
    text.evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight);
  await tell(page, { type: 'thinking', turnId: 'second', text: '\nMore.'.repeat(200) });
  await expect.poll(fromEnd).toBeLessThanOrEqual(1);
  // A user who reads its beginning stays there.
  await text.evaluate((element) => element.scrollTo(0, 0));
  await tell(page, { type: 'thinking', turnId: 'second', text: '\nLast.' });
  await expect(text).toContainText('Last.');
  expect(await text.evaluate(({ scrollTop }) => scrollTop)).toBe(0);

  const over = { label: 'Thought for 12 s', isOpen: false, rest: 'The limit is 64 kB. The rest is not shown.' };
  await tell(page, { type: 'turn-changed', turn: { ...meta, status: 'streaming', thought: over } });
  await tell(page, { type: 'delta', turnId: 'second', text: 'Yes.' });
  await expect(line.locator('summary')).toHaveText('Thought for 12 s');
  await expect(line).toHaveAttribute('open', '');
  await expect(line).toContainText('The rest is not shown.');
  await expect(page.getByTestId('answer').last()).toHaveText('Yes.');
  await expect(text).toContainText('Last.');
});
