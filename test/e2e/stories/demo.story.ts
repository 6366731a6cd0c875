// A newcomer's first minutes: `npm start` in a clone, then the steps of README.md's "Try these first" in what it opened.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, chromium, expect, type Page } from '@playwright/test';
import { findBrowser } from '../../tools/browser.ts';
import { ChatPanel } from '../chatPanel.ts';
import { Demo, type Printed } from '../demo.ts';
import { Walkthrough } from '../walkthrough.ts';
import { Workbench } from '../workbench.ts';

interface Parts {
  readonly printed: Printed;
  readonly page: Page;
}

const test = base.extend<Parts>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here.
  printed: async ({}, use) => {
    const demo = new Demo();
    try {
      await use(await demo.start());
    } finally {
      await demo.close();
    }
  },
  page: async ({ printed }, use, testInfo) => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-newcomer-'));
    const program = await findBrowser();
    const context = await chromium.launchPersistentContext(folder, {
      ...program,
      viewport: { width: 1280, height: 800 },
    });
    const page = context.pages()[0] ?? (await context.newPage());
    await page.addInitScript(collectMessages);
    await page.goto(printed.address);
    await use(page);
    if (testInfo.status !== 'passed') await page.screenshot({ path: testInfo.outputPath('window.png') });
    await context.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  },
});

/** In the page: keeps each message of VS Code, because it shows one for some seconds only. */
function collectMessages(): void {
  const seen = new Set<string>();
  Object.assign(globalThis, { svcSeen: seen });
  new MutationObserver(() => {
    for (const item of document.querySelectorAll<HTMLElement>('.notification-list-item')) {
      const kind = item.querySelector('.codicon-error') === null ? 'message' : 'error';
      if (item.innerText.trim() !== '') seen.add(`${kind}: ${item.innerText}`);
    }
  }).observe(document, { childList: true, subtree: true });
}

/** The newcomer's window. */
interface Visit extends Printed {
  readonly page: Page;
  readonly workbench: Workbench;
  readonly chat: ChatPanel;
}

/** A step of README.md: its bold title, and the items of the editor menu that it names. */
interface Step {
  readonly title: string;
  readonly menuItems: readonly string[];
}

function readSteps(): readonly Step[] {
  const section = /^## Try these first\n([\s\S]*?)^## /m.exec(readFileSync('README.md', 'utf8'))?.[1] ?? '';
  const list = section.split(/^(?=\d+\. )/m).filter((item) => /^\d+\. /.test(item));
  return list.map((item) => ({
    title: /^\d+\. \*\*(.+?)\.\*\*/.exec(item)?.[1] ?? item,
    menuItems: [...item.matchAll(/\*\*Svc\*\* > \*\*(.+?)\*\*/g)].map(([, name = '']) => name),
  }));
}

const accepted = 'src/card.ts';

/** What a newcomer does for each step, and sees. */
const steps: Readonly<Record<string, (visit: Visit, menuItem: string) => Promise<void>>> = {
  'Set the key': async ({ workbench, chat, key }) => {
    await workbench.clickUntil(workbench.statusItem, workbench.quickPick.first());
    await expect(workbench.quickPick.first()).toContainText('Use SVC_API_KEY from the environment');
    await workbench.choose('Enter an API key');
    await workbench.typeKey(key);
    await expect(workbench.panelMessage('is valid and was stored')).toBeVisible();
    await expect(workbench.statusItem).toHaveText('Svc: high');
    await expect(chat.notice).toBeHidden();
  },
  'Explain code': async (visit, menuItem) => {
    await visit.workbench.openFile('card.ts');
    await selectLine(visit, 'export function mask');
    await chooseInMenu(visit, 'export function mask', menuItem);
    await visit.chat.becomes('complete');
    await expect(visit.chat.answers.last()).toContainText('mask');
  },
  'Edit code': async (visit, menuItem) => {
    const { workbench, page } = visit;
    await workbench.openFile('card.ts');
    await chooseInMenu(visit, 'export function isExpired', menuItem);
    await workbench.answer('rename today to now');
    const diff = page.locator('.tab.active').filter({ hasText: 'Changes to card.ts' });
    await diff.waitFor();
    const changes = page.locator('.monaco-diff-editor .modified .view-line').filter({ hasText: /\bnow\b/ });
    await expect(changes).toHaveCount(2);
    const inserted = page.locator('.monaco-diff-editor .modified .line-insert');
    await expect(inserted).toHaveCount(2);
    // A key that comes before the diff is complete does nothing.
    await expect(async () => {
      if ((await inserted.count()) === 2) await page.keyboard.press('Alt+Y');
      await expect(inserted).toHaveCount(1, { timeout: 10_000 });
    }).toPass({ timeout: 120_000 });
    await expect(async () => {
      if (await diff.isVisible()) await page.keyboard.press('Alt+N');
      await expect(diff).toHaveCount(0, { timeout: 10_000 });
    }).toPass({ timeout: 120_000 });
  },
  'Review a file': async (visit, menuItem) => {
    const { workbench, page } = visit;
    await workbench.openFile('charge.ts');
    await chooseInMenu(visit, 'export async function charge', menuItem);
    await expect(workbench.reviewItem).toContainText(/Review complete\. Findings: [1-9]/);
    const problems = page.locator('.markers-panel');
    await workbench.clickUntil(workbench.problemsItem, problems);
    await expect(problems).toContainText('pci-');
    // The problem of another file, found by VS Code's own TypeScript.
    await expect(problems).toContainText("Property 'numbr' does not exist");
  },
  'Preview a request': async ({ workbench, chat, page }) => {
    const count = await chat.turns.count();
    await chat.composer.fill('Which card numbers reach the log?');
    await workbench.run('Svc: Preview Request');
    await expect(page.locator('.tab.active')).toContainText('Request Preview');
    await expect.poll(() => workbench.editorText()).toContain('/chat/completions');
    expect(await chat.turns.count()).toBe(count);
  },
  'Read the receipt': async ({ chat }) => {
    await chat.receipt.locator('summary').click();
    await expect(chat.receipt).toHaveAttribute('data-verdict', 'confirmed');
    await expect(chat.receipt.locator('table')).toContainText('Svc-Data-Residency');
    await expect(chat.receipt.locator('table')).toContainText('eu-west');
  },
  'Change several files': async ({ workbench, chat }) => {
    await chat.mode.click();
    await workbench.chooseExactly('Change');
    await workbench.answerDialog('Turn On');
    await expect(chat.mode).toContainText('Change');
    await chat.ask('Rename `isExpired` to `hasExpired` in `src/card.ts` and `test/card.test.ts`.');
    await chat.toolButton('allow-conversation').click();
    await chat.becomes('complete');
    const title = chat.frame.getByTestId('changes-title');
    await expect(title).toHaveText('Files with proposed changes: 2 (+4 −4). Nothing has been written.');
    await chat.frame.getByTestId('accept-changes').click();
    await expect(title).toHaveText('Written: 2.');
    await chat.frame.getByTestId('undo-changes').click();
    await expect(title).toHaveText('Undone: 2.');
  },
};

/** Selects the line that contains a text. */
async function selectLine({ page, workbench }: Visit, text: string): Promise<void> {
  const line = page.locator('.editor-instance:visible .view-line').filter({ hasText: text }).first();
  await expect(async () => {
    await line.click({ timeout: 5_000 });
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+End');
    await expect(workbench.positionItem).toContainText('selected', { timeout: 5_000 });
  }).toPass({ timeout: 120_000 });
}

/** Opens the editor menu at a text, and chooses an item of its submenu Svc. */
async function chooseInMenu({ page }: Visit, text: string, name: string): Promise<void> {
  const line = page.locator('.editor-instance:visible .view-line').filter({ hasText: text }).first();
  // Its key follows the name.
  const item = page.getByRole('menuitem', { name });
  await expect(async () => {
    // The menu closes by itself when something else takes the focus.
    if (!(await item.isVisible())) {
      await page.keyboard.press('Escape');
      await line.click({ button: 'right', timeout: 5_000, position: { x: 30, y: 8 } });
      await page.getByRole('menuitem', { name: 'Svc', exact: true }).click({ timeout: 5_000 });
    }
    // VS Code ignores a click that comes right after the menu has opened: the next one is made in the same menu.
    await item.click({ timeout: 5_000 });
    await item.waitFor({ state: 'hidden', timeout: 5_000 });
  }).toPass({ timeout: 120_000 });
}

test('npm start opens Svc, and each step of "Try these first" in README.md works there', async ({ printed, page }) => {
  test.slow();
  const listed = readSteps();
  expect(listed.map(({ title }) => title)).toEqual(Object.keys(steps));
  const { address, sample } = printed;
  const server = { port: Number(new URL(address).port), output: [], url: () => address, close: async () => undefined };
  const workbench = new Workbench({ server, dataDir: '' }, page, sample);
  const chat = new ChatPanel(workbench);
  const visit: Visit = { ...printed, page, workbench, chat };
  const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: sample, encoding: 'utf8' });

  // It opens on the product, which says what is missing.
  await expect(page.locator('h2').filter({ hasText: 'Get Started with Svc Coder' })).toBeVisible({ timeout: 120_000 });
  await expect(chat.composer).toBeVisible();
  await expect(chat.notice).toContainText('Store your API key');
  await expect(workbench.statusItem).toHaveText('Svc: no key');
  await expect(page.getByText('Build with Agent')).toBeHidden();
  await new Walkthrough(workbench).expectTicked();
  await workbench.shoot('demo-opened');
  expect(git('rev-list', '--count', 'HEAD').trim()).toBe('2');
  expect(git('status', '--porcelain')).toBe(' M src/charge.ts\n');

  for (const { title, menuItems } of listed) {
    await test.step(title, async () => {
      await steps[title]?.(visit, menuItems[0] ?? '');
      await workbench.shoot(`demo-${title.toLowerCase().replaceAll(' ', '-')}`);
    });
  }

  // VS Code saves by itself in a browser.
  await expect.poll(() => git('status', '--porcelain')).toBe(` M ${accepted}\n M src/charge.ts\n`);
  expect(git('diff', '--numstat', '--', accepted)).toBe(`1\t1\t${accepted}\n`);
  await expect(chat.frame.locator('body')).not.toContainText('Nothing was sent');
  const seen = await page.evaluate(() => [...(globalThis as unknown as { svcSeen: Set<string> }).svcSeen]);
  expect(seen.filter((text) => text.startsWith('error: ') || text.includes('Nothing was sent'))).toEqual([]);
});
