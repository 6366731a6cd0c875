import type { Browser, Page } from '@playwright/test';
import type { Timed } from './messages.ts';
import { textOf } from './messages.ts';
import type { Pages } from './server.ts';
import type { SteppedRun } from './stage.ts';

export const contenders = ['panel', 'plain', 'marked', 'reactMarkdown'] as const;
export type ContenderName = (typeof contenders)[number];

/** A side bar's size in px. */
export const viewport = { width: 400, height: 900 };

/** A fresh page with one contender in it, ready for the first message; closed after `use`. */
export async function withPage<T>(
  browser: Browser,
  { address, stage }: Pages,
  name: ContenderName,
  use: (page: Page) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ viewport });
  try {
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('pageerror', ({ message }) => problems.push(message));
    await page.addInitScript({ path: stage });
    await page.goto(`${address}/${name}`, { waitUntil: 'networkidle' });
    if (name === 'panel') await page.getByTestId('composer').waitFor();
    const result = await use(page);
    if (problems.length > 0) throw new Error(`${name}: ${problems.join('; ')}`);
    return result;
  } finally {
    await context.close();
  }
}

/** Plays messages on the stage's clock; see stage.ts. */
export async function playStepped(page: Page, messages: readonly Timed[], every = 1): Promise<SteppedRun> {
  const steps = messages.map((timed) => ({ at: timed.at, message: timed.message, text: textOf(timed) }));
  return page.evaluate(([given, nth]) => window.stage.play(given, nth), [steps, every] as const);
}

/** The messages after others: their numbers go on. */
export function following(before: readonly Timed[], messages: readonly Timed[]): readonly Timed[] {
  return messages.map(({ at, message }) => ({
    at,
    message: message.type === 'events' ? { ...message, seq: message.seq + before.length } : message,
  }));
}
