// Formulas and the direction of text, on the panel's page in a separate browser, with the policy that it has in VS Code.
import { type Browser, chromium, expect, type Locator, type Page, test } from '@playwright/test';
import { type Pages, servePages } from '../../bench/panel/server.ts';
import { findBrowser } from '../../tools/browser.ts';
import { bidiAnswer, formulaAnswer, worldAnswer } from '../../tools/panelPreview/answers.ts';
import { state, stream, tell, turn } from '../panelPage.ts';

/** Formulas that try to load, link, move, or cover something, or to take all of the time. */
const hostile = [
  ...[
    '\\href{https://a.invalid}{x}',
    '\\includegraphics{https://a.invalid/b.png}',
    '\\htmlStyle{position:fixed}{x}',
    '\\ref{a}',
  ],
  ...[
    '\\hspace{-500em}\\rule{100000em}{100000em}',
    '\\llap{covered}',
    '\\raisebox{-300em}{x}',
    '\\colorbox{red}{x}',
    '\\text{<img src=x onerror=a()>}',
  ],
  ...[
    '\\def\\a{\\a\\a}\\a',
    `${'{'.repeat(2000)}x${'}'.repeat(2000)}`,
    `${'\\sqrt'.repeat(1000)}x`,
    '\\Huge{\\Huge{\\Huge x}}',
  ],
];

let browser: Browser;
let pages: Pages;
let page: Page;
let asked: string[] = [];

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
  asked = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(`${pages.address}/panel`);
  await expect(page.getByTestId('answer')).toContainText('Hello.');
});

test.afterEach(() => page.close());

const formulas = (): Locator => page.getByTestId('formula');
const drawn = (): Locator => page.locator('.math.typeset');
const hasTypesetter = (): boolean => asked.some((url) => /typeset-[^/]+\.js$/.test(url));

function whole(id: string, answer: string): Promise<void> {
  return tell(page, { type: 'turn-added', turn: { ...turn, id, answer } });
}

function calls(method: string): Promise<readonly unknown[]> {
  return page.evaluate(
    (name) =>
      (Reflect.get(window, 'calls') as readonly { readonly method: string; readonly params: unknown }[])
        .filter((call) => call.method === name)
        .map(({ params }) => params),
    method,
  );
}

test('a formula is drawn as MathML; nothing for it is loaded before, and it can be copied, selected and found', async () => {
  await stream(page, 'money', 'It costs $5 and $10, in `$x$` and $HOME.', 7);
  await expect(page.getByTestId('answer').last()).toHaveText('It costs $5 and $10, in $x$ and $HOME.');
  expect(hasTypesetter()).toBe(false);

  await stream(page, 'one', 'So $x^2 = 4$, and\n\n\\[\n\\frac{a}{b}\n\\].\n\nEnd.', 5);
  await expect(drawn()).toHaveCount(2);
  expect(hasTypesetter()).toBe(true);
  await expect(page.locator('math mfrac')).toHaveCount(1);
  const [line, block] = [formulas().first(), formulas().last()];
  // The source takes no place.
  expect(await line.locator('.math-source').evaluate((part) => part.getBoundingClientRect().width)).toBeLessThanOrEqual(
    1,
  );

  await line.locator('.math-box').hover();
  await line.getByRole('button', { name: 'Copy Formula' }).click();
  await block.getByRole('button', { name: 'Copy Formula' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => calls('copy')).toEqual([{ text: 'x^2 = 4' }, { text: '\\frac{a}{b}' }]);
  await expect(block.getByRole('button', { name: 'Copied' })).toBeFocused();

  await page.getByTestId('answer').last().selectText();
  const copied = await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    document.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }));
    return clipboardData.getData('text/plain').trim();
  });
  expect(copied).toBe('So $x^2 = 4$, and\n\n\\[\n\\frac{a}{b}\n\\].\n\nEnd.');

  await page.keyboard.press('Control+f');
  await page.getByTestId('find-text').fill('frac{a}');
  await expect(page.getByTestId('find-count')).toHaveText(/1 .* 1/);
  await expect(block).toHaveClass(/found/);
  await page.getByTestId('find-text').fill('4$, and');
  await expect(page.getByTestId('find-count')).toHaveText(/1 .* 1/);
  await expect(block).not.toHaveClass(/found/);
  await expect(line).toHaveClass(/found/);
});

test('the source of a formula stays if what reads it cannot be loaded', async () => {
  await page.route(/typeset-[^/]+\.js$/, (route) => route.abort());
  const failed = page.waitForEvent('requestfailed');
  await whole('offline', 'So $x^2$ and\n\n$$\n\\frac{a}{b}\n$$\n');
  await failed;
  await expect(page.getByTestId('answer').last()).toContainText('So $x^2$ and');
  await expect(page.getByTestId('answer').last()).toContainText('\\frac{a}{b}');
  await expect(drawn()).toHaveCount(0);
});

test('no formula loads, links, or covers anything, or shows text of its own as HTML', async () => {
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (message) => problems.push(message.text()));
  await whole('hostile', `${hostile.map((tex) => `\\[ ${tex} + 1 \\]`).join('\n\n')}\n\n$x$ is the last.`);
  for (const one of await formulas().all()) await one.scrollIntoViewIfNeeded();
  await expect(page.locator('.math.typeset').last()).toContainText('x');
  const answer = page.getByTestId('answer').last();
  await expect(answer.locator('a, img, iframe, style, svg, [href], [src], [style*=position], [id]')).toHaveCount(0);
  const outside = await answer.evaluate(
    (root) =>
      [...root.querySelectorAll('.math-box *')].filter(
        (part) => part.namespaceURI !== 'http://www.w3.org/1998/Math/MathML' || part.localName === 'maction',
      ).length,
  );
  expect(outside).toBe(0);
  await expect(answer).toContainText('\\href{https://a.invalid}{x}');
  await expect(answer).toContainText('\\def\\a{\\a\\a}\\a');
  for (const box of await page.locator('.math-box').all()) await expect(box).toHaveCSS('contain', 'paint');
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  expect(asked.filter((url) => !url.startsWith(pages.address))).toEqual([]);
  expect(problems).toEqual([]);
});

test('an answer with 10,000 formulas keeps the page responsive', async () => {
  test.slow();
  const answer = Array.from(
    { length: 2_000 },
    (_, at) => `Line ${at}: ${`$x_{${at}} + \\frac{1}{${at}}$ `.repeat(5)}`,
  ).join('\n\n');
  await whole('many', answer);
  await expect(drawn().first()).toBeVisible();
  // The page answers a click while formulas are drawn, and those out of sight wait.
  await page.getByTestId('composer').fill('still here');
  await expect(page.getByTestId('composer')).toHaveValue('still here');
  expect(await drawn().count()).toBeLessThan(5_000);
  const first = formulas().first();
  await first.scrollIntoViewIfNeeded();
  await expect(first).toHaveClass(/typeset/);
});

test('a wide formula scrolls in its box, which the keyboard reaches', async () => {
  const sum = Array.from({ length: 60 }, (_, at) => `a_{${at}}`).join(' + ');
  await whole('wide', `In a line $${sum}$ and\n\n$$\n${sum}\n$$\n`);
  await expect(drawn()).toHaveCount(2);
  for (const box of await page.locator('.math-box').all()) {
    expect(await box.evaluate((part) => part.scrollWidth > part.clientWidth)).toBe(true);
    await expect(box).toHaveAttribute('tabindex', '0');
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});

test('formulas, footnotes and text in both directions that come in pieces look like those that come whole', async () => {
  for (const [name, text] of Object.entries({ formulaAnswer, bidiAnswer, worldAnswer })) {
    await whole(`${name} whole`, text);
    await stream(page, `${name} in pieces`, text, 23);
    for (const formula of await formulas().all()) await formula.scrollIntoViewIfNeeded();
    for (const block of await page.getByTestId('code-block').all()) await block.scrollIntoViewIfNeeded();
    const html = (place: number): Promise<string> => page.getByTestId('answer').nth(place).innerHTML();
    await expect(async () => expect(await html(-1), name).toBe(await html(-2))).toPass();
  }
});

test('each part of an answer begins at the side of its own text; code stays left to right', async () => {
  await whole(
    'both',
    'שלום לכולם\n\nHello\n\n- פריט\n- item\n\n> ציטוט\n\n| א | ב |\n|---|---|\n| ג | `code` |\n\n`code` שלום\n\n```ts\nlet a; // שלום\n```\n',
  );
  const answer = page.getByTestId('answer').last();
  /** Where the text of an element begins, relative to the answer: at its left or its right half. */
  const side = (part: Locator): Promise<string> =>
    part.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      const { left, right } = range.getBoundingClientRect();
      const outer = element.closest('.answer')?.getBoundingClientRect() ?? new DOMRect();
      return left - outer.left < outer.right - right ? 'left' : 'right';
    });
  expect(await side(answer.locator('p', { hasText: 'שלום לכולם' }))).toBe('right');
  expect(await side(answer.locator('p', { hasText: 'Hello' }))).toBe('left');
  expect(await side(answer.locator('li', { hasText: 'פריט' }))).toBe('right');
  expect(await side(answer.locator('li', { hasText: 'item' }))).toBe('left');
  await expect(answer.locator('li', { hasText: 'פריט' })).toHaveCSS('direction', 'rtl');
  await expect(answer.locator('li', { hasText: 'item' })).toHaveCSS('direction', 'ltr');
  await expect(answer.locator('blockquote')).toHaveCSS('border-right-width', '4px');
  // The first column of the table is at its right.
  const cells = await answer.locator('th').evaluateAll((all) => all.map((cell) => cell.getBoundingClientRect().left));
  expect(cells[0]).toBeGreaterThan(cells[1] ?? 0);
  expect(await side(answer.locator('p', { hasText: 'code' }))).toBe('right');
  await expect(answer.locator('pre')).toHaveCSS('direction', 'ltr');
  for (const code of await answer.locator('code').all()) await expect(code).toHaveCSS('direction', 'ltr');

  const composer = page.getByTestId('composer');
  await composer.fill('שלום');
  await expect(composer).toHaveCSS('direction', 'rtl');
  await composer.fill('Hello');
  await expect(composer).toHaveCSS('direction', 'ltr');
});

test('a screen reader gets formulas as such, and the state of a task in words', async () => {
  await whole('tasks', '- [x] one\n- [ ] two $x^2$\n');
  await expect(page.getByRole('img', { name: 'Done' })).toHaveText('☑');
  await expect(page.getByRole('img', { name: 'To do' })).toHaveText('☐');
  await expect(page.getByRole('math')).toHaveCount(1);
  await expect(page.locator('.math-source')).toHaveAttribute('aria-hidden', 'true');
  await expect(page.getByTestId('answer').last().locator('input')).toHaveCount(0);
});
