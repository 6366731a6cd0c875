import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { findBrowser } from '../browser.ts';
import { previewStates } from './states.ts';
import { auditThemes } from './themes.ts';

/** The widths in px of an editor beside two others, and of a single one. The height fits the content. */
const sizes = [
  { width: 400, height: 2600 },
  { width: 1400, height: 1500 },
] as const;

/**
 * Takes a picture of every state (or of those named) in every theme and width. Reports overflowing content, errors of
 * the page, and the findings of axe.
 */
export async function shoot(address: string, folder: string, only: readonly string[]): Promise<void> {
  const browser = await chromium.launch(await findBrowser());
  const page = await browser.newPage({ reducedMotion: 'reduce' });
  page.on('console', (message) => console.log(`${page.url()}: ${message.text()}`));
  page.on('pageerror', (error) => console.log(`${page.url()}: ${error.message}`));
  const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  for (const state of Object.keys(previewStates).filter((name) => only.length === 0 || only.includes(name))) {
    for (const theme of Object.keys(auditThemes)) {
      for (const { width, height } of sizes) {
        await page.setViewportSize({ width, height });
        await page.goto(`${address}/${state}/${theme}`, { waitUntil: 'networkidle' });
        await page.locator('main[aria-busy=false]').waitFor();
        await page.screenshot({ path: join(folder, `${state}-${theme}-${width}.png`) });
        const cut = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
        if (cut) console.log(`${state} ${theme} ${width}: wider than the page`);
        for (const found of await violations(page, axe)) console.log(`${state} ${theme} ${width}: ${found}`);
      }
    }
  }
  await browser.close();
}

/** The findings of axe with all tables open, each as its rule and the first place. */
async function violations(page: Page, axe: string): Promise<readonly string[]> {
  for (const details of await page.locator('details').all()) {
    await details.evaluate((element) => element.setAttribute('open', ''));
  }
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    const { violations } = await axe.run();
    return violations.map(({ id, nodes }) => `${id} (${nodes.length}): ${nodes[0]?.html.slice(0, 160)}`);
  });
}
