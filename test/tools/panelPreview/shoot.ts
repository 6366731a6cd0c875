import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { findBrowser } from '../browser.ts';
import { previewStates } from './states.ts';
import { themes } from './themes.ts';

/** The widths in px of side bars from the narrowest to a wide one. */
const widths = [180, 220, 280, 400, 600];

/**
 * Takes a picture of every state (or of those named) in every theme and width. Reports overflowing content and errors
 * of the page.
 */
export async function shoot(address: string, folder: string, only: readonly string[]): Promise<void> {
  const browser = await chromium.launch(await findBrowser());
  const page = await browser.newPage({ reducedMotion: 'reduce' });
  page.on('console', (message) => console.log(`${page.url()}: ${message.text()}`));
  page.on('pageerror', (error) => console.log(`${page.url()}: ${error.message}`));
  const states = Object.keys(previewStates(0)).filter((state) => only.length === 0 || only.includes(state));
  for (const state of states) {
    for (const theme of Object.keys(themes)) {
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(`${address}/${state}/${theme}`, { waitUntil: 'networkidle' });
        await page.getByTestId('composer').waitFor();
        // Content that is visible only on hover.
        if (state === 'branches') await page.getByTestId('prompt').first().hover();
        if (state === 'tools') await page.getByTestId('step').first().locator('summary').click();
        await page.screenshot({ path: join(folder, `${state}-${theme}-${width}.png`) });
        const cut = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
        if (cut) console.log(`${state} ${theme} ${width}: wider than the panel`);
      }
    }
  }
  await browser.close();
}
