import type { Browser, Page } from '@playwright/test';
import type { Timed } from './messages.ts';
import { textOf } from './messages.ts';
import type { Pages } from './server.ts';
import type { Step, SteppedRun } from './stage.ts';

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

/** What the stage is told: each message, and what it adds to the answer. */
export function stepsOf(messages: readonly Timed[]): readonly Step[] {
  return messages.map((timed) => ({ at: timed.at, message: timed.message, text: textOf(timed) }));
}

/** Plays messages on the stage's clock; see stage.ts. Fails where the panel does not show the end of the answer. */
export async function playStepped(page: Page, messages: readonly Timed[], every = 1): Promise<SteppedRun> {
  const run = await page.evaluate(([steps, nth]) => window.stage.play(steps, nth), [stepsOf(messages), every] as const);
  const end =
    messages
      .map(textOf)
      .join('')
      .match(/\w+(?=\W*$)/)?.[0] ?? '';
  const shown = await page.evaluate(() => document.body.textContent.slice(-5000));
  if (every === 1 && !shown.includes(end)) throw new Error(`The page does not show the end of the answer: ${end}`);
  return run;
}

/** The messages after others: their numbers go on. */
export function following(before: readonly Timed[], messages: readonly Timed[]): readonly Timed[] {
  return messages.map(({ at, message }) => ({
    at,
    message: message.type === 'events' ? { ...message, seq: message.seq + before.length } : message,
  }));
}
