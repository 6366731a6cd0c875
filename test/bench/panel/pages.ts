import type { Browser, Page } from '@playwright/test';
import type { Timed } from './messages.ts';
import { textOf } from './messages.ts';
import type { Pages } from './server.ts';
import type { Step, SteppedRun } from './stage.ts';

export const contenders = ['panel', 'plain', 'marked', 'reactMarkdown'] as const;
export type ContenderName = (typeof contenders)[number];

/** The size of a side bar in px. */
export const viewport = { width: 400, height: 900 };

/** Opens a fresh page with one contender, ready for the first message, and closes it after `use`. */
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

/** The input of the stage: each message, and the text that it adds to the answer. */
export function stepsOf(messages: readonly Timed[]): readonly Step[] {
  return messages.map((timed) => ({ at: timed.at, message: timed.message, text: textOf(timed) }));
}

/** Plays messages on the stage's clock (see stage.ts). Fails if the panel does not show the end of the answer. */
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

/** The messages with numbers that follow those of others. */
export function following(before: readonly Timed[], messages: readonly Timed[]): readonly Timed[] {
  return messages.map(({ at, message }) => ({
    at,
    message: message.type === 'events' ? { ...message, seq: message.seq + before.length } : message,
  }));
}
