import { type Browser, test as base, chromium, type Page } from '@playwright/test';
import { auditPreview } from '../tools/auditPreview/preview.ts';
import { findBrowser } from '../tools/browser.ts';
import type { Language } from '../tools/hostModule.ts';
import { panelPreview } from '../tools/panelPreview/preview.ts';
import { type Preview, type PreviewServer, startPreview } from '../tools/previewServer.ts';

/** The pages in states that take long to reach in VS Code. Other stories cover what VS Code itself adds. */
export class Previews {
  readonly page: Page;
  readonly #servers: ReadonlyMap<Preview, PreviewServer>;

  constructor(page: Page, servers: ReadonlyMap<Preview, PreviewServer>) {
    this.page = page;
    this.#servers = servers;
  }

  /** The same in another page. */
  in(page: Page): Previews {
    return new Previews(page, this.#servers);
  }

  /** Shows a state, and waits until it is drawn. */
  async show(preview: Preview, state: string, theme = 'dark', language: Language = 'en'): Promise<void> {
    const address = this.#servers.get(preview)?.address;
    await this.page.goto(`${address}/${state}/${theme}?language=${language}`);
    if (preview === auditPreview) {
      await this.page.locator('main[aria-busy=false]').getByTestId('verdict').waitFor();
      return;
    }
    await this.page.locator('.turn, .empty').first().waitFor();
    // The parser is loaded separately.
    await this.page.waitForFunction(() => {
      const answers = [...document.querySelectorAll('.turn:not([data-status=failed]) > .answer')];
      return answers.every(
        (answer) =>
          answer.childElementCount > 0 ||
          answer.closest(
            '[data-status=waiting], [data-status=retrying], [data-status=confirming], [data-status=calling]',
          ) !== null,
      );
    });
    // What reads formulas is loaded with the first one.
    await this.page.waitForFunction(
      () => document.querySelector('.math') === null || document.querySelector('.math.typeset'),
    );
  }

  /** The horizontal overflow in px. */
  tooWide(): Promise<number> {
    return this.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  }

  /** Opens what is shown only after a key press or a click: tables, receipts, and a request of the audit log. */
  async openAll(): Promise<void> {
    await this.page.locator('details').evaluateAll((all) => {
      for (const details of all) details.setAttribute('open', '');
    });
    const request = this.page.locator('.toggle').first();
    if ((await request.count()) > 0) await request.click();
  }
}

interface WorkerParts {
  readonly servers: ReadonlyMap<Preview, PreviewServer>;
  readonly browser: Browser;
}

export const test = base.extend<{ readonly previews: Previews }, WorkerParts>({
  browser: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here.
    async ({}, use) => {
      const browser = await chromium.launch(await findBrowser());
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],

  servers: [
    // biome-ignore lint/correctness/noEmptyPattern: see above.
    async ({}, use) => {
      const servers = new Map<Preview, PreviewServer>();
      for (const preview of [panelPreview, auditPreview]) servers.set(preview, await startPreview(preview));
      await use(servers);
      for (const server of servers.values()) server.close();
    },
    { scope: 'worker' },
  ],

  previews: async ({ page, servers }, use) => use(new Previews(page, servers)),
});

export { expect } from '@playwright/test';
export { auditPreview, panelPreview };
