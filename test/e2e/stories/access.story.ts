import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { ViewEvent } from '../../../src/protocol/panelEvents.ts';
import type { TurnMeta, TurnView } from '../../../src/protocol/turnView.ts';
import { previewKept, previewStates } from '../../tools/panelPreview/states.ts';
import { toolNames } from '../../tools/toolInventory.ts';
import type { ViewFields } from '../../tools/turns.ts';
import { auditPreview, expect, panelPreview, test } from '../previews.ts';

// Each in its own page.
test.describe.configure({ mode: 'parallel' });

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const pages = [panelPreview, auditPreview];
const softly = expect.configure({ soft: true });
/** The narrowest realistic side bar, and a wide one. */
const widths = [180, 600];

/** The rules of axe whose result depends on the theme. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/**
 * Serious or critical violations that axe reports, each as its rule and the first place: of all rules, of some `only`,
 * or of all `without` some.
 */
async function serious(
  page: Page,
  rules: { readonly only?: readonly string[]; readonly without?: readonly string[] } = {},
): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource);
  return page.evaluate(async ({ only, without = [] }) => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    const { violations } = await axe.run({
      ...(only && { runOnly: { type: 'rule', values: [...only] } }),
      rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
      resultTypes: ['violations'],
      // Only a rule that is off reads style sheets.
      preload: false,
    });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id} (${nodes.length}): ${nodes[0]?.html.slice(0, 160)}`);
  }, rules);
}

/**
 * Texts and buttons that extend beyond the page or are clipped by their container, where scrolling cannot reach them.
 */
function cut(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const overflowOf = (element: Element): string => getComputedStyle(element).overflowX;
    const isCut = (element: Element): boolean => {
      const { left, right, width } = element.getBoundingClientRect();
      if (width <= 1) return false;
      for (let outer = element.parentElement; outer !== null; outer = outer.parentElement) {
        if (['auto', 'scroll'].includes(overflowOf(outer))) return false;
        const box = outer.getBoundingClientRect();
        const clips = outer === document.body || overflowOf(outer) !== 'visible';
        if (clips && box.width > 1 && (left < box.left - 1 || right > box.right + 1)) return true;
      }
      return false;
    };
    const hasText = (element: Element): boolean =>
      [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== '');
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.localName === 'button' || hasText(element))
      .filter((element) => element.checkVisibility() && isCut(element))
      .map((element) => element.outerHTML.slice(0, 160));
  });
}

for (const theme of panelPreview.themes) {
  for (const preview of pages) {
    test(`${preview.name} in ${theme}: axe finds nothing serious and nothing is cut, in any state`, async ({
      previews,
    }) => {
      test.slow();
      const { page } = previews;
      for (const state of preview.states) {
        await previews.show(preview, state, theme);
        await previews.openAll();
        for (const width of widths) {
          await page.setViewportSize({ width, height: 900 });
          const name = `${state}, ${width} px`;
          // Elements that measure their own width are drawn again.
          await softly.poll(() => previews.tooWide(), name).toBe(0);
          await softly.poll(() => cut(page), name).toEqual([]);
          const rules = theme === panelPreview.themes[0] ? {} : { only: colorRules };
          expect.soft(await serious(page, rules), name).toEqual([]);
        }
      }
    });
  }
}

/** Sends events to the page, like the host. */
function host(page: Page, ...events: readonly ViewEvent[]): Promise<void> {
  return page.evaluate((sent) => {
    (globalThis as unknown as { host(...events: readonly unknown[]): void }).host(...sent);
  }, events);
}

const { answer: _, prompt, ...asked } = { ...previewStates(0).waiting?.turns[0], id: 'n' } as TurnView;
const { card }: ViewFields = previewStates(0).errors?.turns[0] ?? {};
const { confirmation }: ViewFields = previewStates(0).confirmation?.turns[0] ?? {};
const meta = (status: TurnMeta['status'], more: ViewFields = {}): ViewEvent => ({
  type: 'turn-changed',
  turn: { ...asked, ...more, status } as TurnMeta,
});
const retry = { untilMs: Date.now() + 30_000, attempt: 1, reason: 'Busy (503).' };
const code = '\n```ts\nlet a = 1;\n```\n\nand\n\n```\nb\n```\n';

/** A turn from the question to the end of the answer, with everything that may occur between. */
const steps: readonly ViewEvent[] = [
  { type: 'turn-added', turn: { ...asked, prompt, answer: '' } },
  { type: 'busy-changed', busy: true },
  meta('retrying', { retry }),
  meta('streaming'),
  { type: 'delta', turnId: 'n', text: 'An answer' },
  { type: 'delta', turnId: 'n', text: code },
  meta('complete', { footer: '12 tokens' }),
  { type: 'busy-changed', busy: false },
];

/** The live regions that a screen reader announces, from the browser's accessibility tree. */
async function liveParts(page: Page): Promise<readonly { readonly role: string; readonly live: string }[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  return nodes.flatMap(({ role, properties = [] }) => {
    const live = properties.find(({ name }) => name === 'live')?.value.value;
    return live === undefined ? [] : [{ role: String(role?.value), live: String(live) }];
  });
}

test('the transcript is a silent log; one polite status announces that a question was sent, its answer began and is complete', async ({
  previews,
}) => {
  const { page } = previews;
  await previews.show(panelPreview, 'conversation');
  const log = page.getByRole('log');
  await expect(log).toHaveAttribute('aria-live', 'off');
  expect(await liveParts(page)).toEqual([{ role: 'status', live: 'polite' }]);
  const status = page.getByRole('status');
  await expect(status).toHaveText('');

  const said: string[] = [];
  await page.exposeFunction('heard', (text: string) => said.push(text));
  await status.evaluate((element) => {
    const { heard } = globalThis as unknown as { heard(text: string): void };
    new MutationObserver(() => heard(element.textContent ?? '')).observe(element, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
  const expected = [
    'The question was sent. Waiting for the service',
    'Busy (503).',
    'The answer has started.',
    'The answer is complete. Code blocks: 2.',
  ];
  // The page draws some events together: each announcement is awaited.
  const until = [1, 1, 2, 3, 3, 3, 4, 4];
  for (const [index, step] of steps.entries()) {
    await host(page, step);
    await expect.poll(() => said).toEqual(expected.slice(0, until[index]));
  }
  await expect(status).toHaveText('The answer is complete. Code blocks: 2.');
  expect(await liveParts(page)).toEqual([{ role: 'status', live: 'polite' }]);
});

for (const place of ['composer', 'transcript'] as const) {
  test(`the focus stays in the ${place} while an answer waits, retries, streams, ends and fails`, async ({
    previews,
  }) => {
    const { page } = previews;
    await previews.show(panelPreview, 'conversation');
    const element = place === 'composer' ? page.getByTestId('composer') : page.getByRole('log');
    await element.focus();
    for (const step of [...steps, meta('failed', card === undefined ? {} : { card })]) {
      await host(page, step);
      await expect(element).toBeFocused();
    }
    await expect(page.getByTestId('card')).toBeVisible();
    await expect(element).toBeFocused();
  });
}

test('the instructions of the organization have no button that removes them', async ({ previews }) => {
  const { page } = previews;
  await previews.show(panelPreview, 'organization');
  const chips = page.getByTestId('chip');
  await expect(chips).toHaveText([/Organization\s*instructions · 1\.2 kB/, /AGENTS\.md/]);
  await expect(chips.first().getByRole('button')).toHaveCount(0);
  await expect(chips.last().getByRole('button')).toHaveCount(1);
});

test('if the pressed button disappears, the focus moves to the composer and is not lost', async ({ previews }) => {
  const { page } = previews;
  await previews.show(panelPreview, 'conversation');
  const composer = page.getByTestId('composer');
  await host(page, { type: 'turn-added', turn: { ...asked, prompt, answer: '' } });

  await host(page, meta('confirming', confirmation === undefined ? {} : { confirmation }));
  // A prompt takes the focus: the user has just pressed Enter.
  await expect(page.getByTestId('send-masked')).toBeFocused();
  await host(page, meta('waiting'));
  await expect(composer).toBeFocused();

  await host(page, meta('retrying', { retry }));
  await page.getByTestId('retry-now').focus();
  await host(page, meta('waiting'));
  await expect(composer).toBeFocused();

  await host(page, meta('failed', card === undefined ? {} : { card }));
  await page.getByTestId('card-action').first().focus();
  await host(page, meta('waiting'));
  await expect(composer).toBeFocused();

  const attachments = [
    { id: 'a', label: 'a.ts', size: '1 kB', icon: 'file' },
    { id: 'b', label: 'b.ts', size: '1 kB', icon: 'file' },
  ];
  await host(page, { type: 'attachments-changed', attachments, attachmentProblem: '' });
  await page.getByRole('button', { name: 'Remove: a.ts' }).focus();
  await host(page, { type: 'attachments-changed', attachments: attachments.slice(1), attachmentProblem: '' });
  await expect(composer).toBeFocused();

  const message = { id: 'm', card: { severity: 'info', title: 'It was removed.', actions: [] } } as const;
  await host(page, { type: 'messages-changed', messages: [message] });
  await page.getByRole('button', { name: 'Close: It was removed.' }).focus();
  await host(page, { type: 'messages-changed', messages: [] });
  await expect(composer).toBeFocused();

  const waiting = { text: 'Next?', attachments: [], isSending: false };
  await host(page, { type: 'waiting-changed', waiting });
  await page.getByTestId('waiting-send').focus();
  await host(page, { type: 'waiting-changed', waiting: { ...waiting, isSending: true } });
  await expect(page.getByTestId('waiting-send')).toBeFocused();
  await host(page, { type: 'waiting-changed' });
  await expect(composer).toBeFocused();

  // Under an answer that is continued, or requested again.
  for (const before of [meta('stopped'), meta('complete', { cut: 'length' })]) {
    for (const name of ['debug-continue', 'refresh']) {
      await host(page, meta('waiting'), { type: 'delta', turnId: 'n', text: 'a' }, before);
      await page.getByTestId('turn').last().getByTestId(name).focus();
      await host(page, meta('waiting'));
      await expect(composer).toBeFocused();
    }
  }

  await host(page, meta('retrying', { retry }));
  await page.getByTestId('retry-cancel').focus();
  await host(page, meta('stopped'));
  await expect(composer).toBeFocused();
});

for (const [state, editor] of [
  ['edit', 'edit-text'],
  ['summaryEdit', 'summary-area'],
] as const) {
  test(`an editor that comes back with the page leaves the focus to the composer (${state})`, async ({ previews }) => {
    const { page } = previews;
    // The host asks for the focus before the page has drawn its first frame, which is late.
    await page.addInitScript(() => {
      globalThis.requestAnimationFrame = (draw) => window.setTimeout(() => draw(performance.now()), 100);
      globalThis.cancelAnimationFrame = (id) => clearTimeout(id);
      const post = globalThis.postMessage.bind(globalThis);
      globalThis.postMessage = (message: { events?: readonly { type: string }[] }) => {
        post(message);
        if (message.events?.[0]?.type === 'snapshot')
          post({ type: 'events', seq: 2, events: [{ type: 'focus-composer' }] });
      };
    });
    await previews.show(panelPreview, state);
    await expect(page.getByTestId(editor)).toBeVisible();
    await expect(page.getByTestId('composer')).toBeFocused();
  });
}

test('an editor has the focus as soon as it is in the page, so that what is typed then has its place', async ({
  previews,
}) => {
  const { page } = previews;
  await previews.show(panelPreview, 'conversation');
  const active = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const text = '[data-testid="edit-text"]';
        new MutationObserver(() => {
          if (document.querySelector(text) !== null) resolve(document.activeElement?.matches(text));
        }).observe(document.body, { childList: true, subtree: true });
        document.querySelector<HTMLElement>('[data-testid="edit"]')?.click();
      }),
  );
  expect(active).toBe(true);
});

/** Waits until the page has drawn a frame, with the effects of what is in it. */
function frame(page: Page): Promise<void> {
  return page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
}

test('a confirmation that appears while the user types, here or in an editor, or reads, does not take the focus', async ({
  previews,
}) => {
  const { page } = previews;
  await previews.show(panelPreview, 'conversation');
  const composer = page.getByTestId('composer');
  await composer.fill('A question');
  await composer.press('Enter');
  await expect(composer).toHaveValue('');
  await composer.pressSequentially('The next');
  await host(page, { type: 'turn-added', turn: { ...asked, prompt, answer: '' } });
  await host(page, meta('confirming', confirmation === undefined ? {} : { confirmation }));
  await expect(page.getByTestId('send-masked')).toBeVisible();
  await frame(page);
  await page.keyboard.press('Space');
  await page.keyboard.type('question');
  await expect(composer).toHaveValue('The next question');
  await expect(composer).toBeFocused();

  await composer.press('Enter');
  await expect(composer).toHaveValue('');
  await host(page, meta('waiting'));
  // The space bar scrolls here.
  const log = page.getByRole('log');
  await log.focus();
  await host(page, meta('confirming', confirmation === undefined ? {} : { confirmation }));
  await expect(page.getByTestId('send-masked')).toBeVisible();
  await frame(page);
  await expect(log).toBeFocused();

  await composer.focus();
  await host(page, meta('waiting'));
  await page.evaluate(() => {
    document.hasFocus = () => false;
  });
  await host(page, meta('confirming', confirmation === undefined ? {} : { confirmation }));
  await expect(page.getByTestId('send-masked')).toBeVisible();
  await frame(page);
  expect(await page.evaluate(() => document.activeElement?.getAttribute('data-testid'))).toBe('composer');
  const decided = await page.evaluate(() =>
    (globalThis as unknown as { calls: readonly { method: string }[] }).calls.some(({ method }) => method === 'decide'),
  );
  expect(decided).toBe(false);
});

test('the end of a conversation is shown completely, regardless of how its turns ended', async ({ previews }) => {
  const { page } = previews;
  // If a question is being edited, that one is shown.
  for (const state of panelPreview.states.filter((each) => !(each in previewKept))) {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 500 });
      await previews.show(panelPreview, state);
      const left = (): Promise<number> =>
        page.evaluate(() => {
          const scroller = document.querySelector('.transcript');
          return scroller === null ? 0 : scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
        });
      await softly.poll(left, `${state}, ${width} px`).toBeLessThanOrEqual(1);
    }
  }
  // A user who scrolls up stays there while the answer grows.
  await page.setViewportSize({ width: 400, height: 500 });
  await previews.show(panelPreview, 'streaming');
  const log = page.getByRole('log');
  const frame = (): Promise<unknown> => page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
  // Also in small steps, as from a touchpad.
  for (const by of [-8, -8, -8, -40]) {
    const before = await log.evaluate(({ scrollTop }) => scrollTop);
    await log.evaluate((element, top) => element.scrollBy({ top }), by);
    await frame();
    await frame();
    expect(await log.evaluate(({ scrollTop }) => scrollTop)).toBe(before + by);
  }
  const left = (): Promise<number> =>
    log.evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight);
  // Content that shrinks and grows within a frame moves the page up, but not the user.
  await log.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
  // The page hears of the scroll with the next frame.
  await frame();
  await frame();
  expect(await left()).toBeLessThanOrEqual(1);
  /** Gives the first and the last turn more or less room, step by step within one frame, and turns the wheel. */
  const resize = (steps: readonly (readonly [before: number, after: number])[], wheel = 0): Promise<void> =>
    log.evaluate(
      (element, { steps, wheel }) => {
        const groups = [...(element.firstElementChild?.children ?? [])] as HTMLElement[];
        for (const [before, after] of steps) {
          for (const group of groups.slice(0, 1)) group.style.paddingTop = `${before}px`;
          for (const group of groups.slice(-1)) group.style.paddingBottom = `${after}px`;
          // Lays the page out.
          element.getBoundingClientRect();
        }
        if (wheel !== 0) element.dispatchEvent(new WheelEvent('wheel', { deltaY: wheel, bubbles: true }));
        element.scrollBy({ top: wheel });
        // As when the browser moved the page itself: before any observer knows of the change.
        element.dispatchEvent(new Event('scroll'));
      },
      { steps, wheel },
    );
  for (const [before, after] of [
    [0, 400],
    [32, 300],
    [32, 350],
  ] as const) {
    await resize([
      [0, 0],
      [before, after],
    ]);
    await expect.poll(left).toBeLessThanOrEqual(1);
  }
  // The same if it is as tall as before, and only the answer was drawn.
  await log.evaluate(
    (element, event) =>
      new Promise<void>((done) => {
        // This runs after the answer was drawn, and before the page looks at its size.
        const changes = new MutationObserver(() => {
          changes.disconnect();
          const group = element.firstElementChild?.lastElementChild as HTMLElement;
          const { paddingBottom } = group.style;
          for (const room of ['0px', paddingBottom]) {
            group.style.paddingBottom = room;
            // Lays the page out.
            element.getBoundingClientRect();
          }
          element.dispatchEvent(new Event('scroll'));
          done();
        });
        changes.observe(element, { characterData: true, childList: true, subtree: true });
        (globalThis as unknown as { host(event: unknown): void }).host(event);
      }),
    { type: 'delta', turnId: 't1', text: '.' },
  );
  await expect.poll(left).toBeLessThanOrEqual(1);
  // A user who scrolls while it grows leaves the end.
  await resize([[32, 380]], -60);
  await frame();
  await frame();
  expect(await left()).toBeGreaterThanOrEqual(60);
  await log.evaluate((element) => element.scrollTo({ top: 100 }));
  await expect.poll(() => log.evaluate(({ scrollTop }) => scrollTop)).toBe(100);
  await host(page, { type: 'delta', turnId: 't1', text: '\n\nMore.'.repeat(20) });
  await expect(log).toContainText('More.');
  expect(await log.evaluate(({ scrollTop }) => scrollTop)).toBe(100);
});

/** What Tab reaches, in order, by accessible name. */
async function tabStops(page: Page): Promise<readonly string[]> {
  await page.evaluate(() => document.body.focus());
  const stops: string[] = [];
  for (;;) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const element = document.activeElement;
      if (element === null || element === document.body) return undefined;
      const { outlineStyle } = getComputedStyle(element);
      const box = element.closest('.composer-box');
      const isSeen = outlineStyle !== 'none' || (box !== null && element.localName === 'textarea');
      const name = element.getAttribute('aria-label') ?? element.closest('label')?.querySelector('span')?.textContent;
      const isText = ['button', 'summary', 'a'].includes(element.localName);
      const text = name ?? (isText ? element.textContent : element.localName);
      return `${text?.trim()}${isSeen ? '' : ' (focus not seen)'}`;
    });
    if (stop === undefined || stops.length > 60) return stops;
    stops.push(stop);
  }
}

test('Tab reaches every part, in reading order, with three stops at most for a turn', async ({ previews }) => {
  const { page } = previews;
  const composer = [
    'Ask Svc',
    'Add Context…',
    'Mode: Ask',
    'Model: svc/enterprise-coder-v1',
    '≈ 14k / 100k 15% Next request: about 14,210 of 100,000 tokens. Preview Request',
    'Compliance settings of the next request: maximum +4',
    `Tools: ${toolNames.length} on`,
    'Preview Request',
    'Send',
  ];
  await previews.show(panelPreview, 'receipts');
  expect(await tabStops(page)).toEqual([
    ...['Conversation', 'Edit Question', 'Confirmed by the service'],
    ...['Edit Question', 'Service reports different settings', ...composer],
  ]);
  await previews.show(panelPreview, 'attached');
  expect(await tabStops(page)).toEqual([
    ...['Explain pay.ts', 'Write tests for pay.ts', 'Review pay.ts'],
    ...['Remove: src/client/retry.ts:12-48', 'Remove: .env', ...composer],
  ]);
  await previews.show(panelPreview, 'errors');
  expect(await tabStops(page)).toEqual([
    ...['Conversation', 'Edit Question', 'Set API Key'],
    ...['Edit Question', 'https://www.rfc-editor.org/rfc', 'Continue', ...composer],
  ]);
  await previews.show(panelPreview, 'faults');
  expect(await tabStops(page)).toEqual([
    ...['Conversation', 'Edit Question', 'Retry', 'Edit Question', 'Retry', 'Edit Question', 'Continue', ...composer],
  ]);
  await previews.show(panelPreview, 'cut');
  expect(await tabStops(page)).toEqual([...['Conversation', 'Edit Question', 'Continue Answer', ...composer]]);
  await previews.show(panelPreview, 'retry');
  expect(await tabStops(page)).toEqual([
    ...['Conversation', 'Edit Question', 'Retry Now', 'Cancel', ...composer.slice(0, -1), 'Stop'],
  ]);
  await previews.show(panelPreview, 'messages');
  expect(await tabStops(page)).toEqual([
    ...['Conversation', 'Edit Question', 'Ask Again'],
    'Close: Zero retention is on now. This conversation was removed from the disk and is no longer saved.',
    ...['Show Log', 'Close: The conversation could not be saved: the disk is full', ...composer],
  ]);
  await previews.show(panelPreview, 'restricted');
  expect(await tabStops(page)).toEqual([
    ...['Conversation', 'Edit Question', 'Set API Key', 'Manage Trust', ...composer],
  ]);
  await previews.show(panelPreview, 'keyFound');
  expect(await tabStops(page)).toEqual([
    ...['Conversation', 'Edit Question', 'Ask Again', 'Set API Key', 'Open Settings', ...composer],
  ]);
  await previews.show(auditPreview, 'today');
  const charts = ['hour', 'hour', 'outcome', 'model', 'action', 'compliance settings'].map((by, index) =>
    index === 1 ? `Show as table: Tokens by ${by}` : `Show as table: Requests by ${by}`,
  );
  const times = await page.locator('td.time').allTextContents();
  expect(times).toHaveLength(3);
  expect(await tabStops(page)).toEqual([
    ...['Verify', 'Export Evidence…', 'Export CSV…', 'Refresh'],
    ...['Period', 'Model', 'Compliance settings', 'Outcome', 'Service confirmation'],
    ...charts,
    ...['Requests', ...times, 'Refused requests', 'Other events'],
  ]);
});

test('reduced motion shows no animation', async ({ previews }) => {
  const { page } = previews;
  const moving = (): Promise<readonly string[]> =>
    page.evaluate(() => document.getAnimations().map((animation) => animation.constructor.name));
  await previews.show(panelPreview, 'waiting');
  await expect.poll(moving).toEqual(['CSSAnimation']);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const preview of pages) {
    for (const state of preview.states) {
      await previews.show(preview, state);
      const styles = await page.evaluate(() =>
        [...document.querySelectorAll('*')].flatMap((element) => {
          const { animationName, transitionDuration, scrollBehavior } = getComputedStyle(element);
          const moves = animationName !== 'none' || transitionDuration !== '0s' || scrollBehavior === 'smooth';
          return moves ? [element.outerHTML.slice(0, 100)] : [];
        }),
      );
      expect.soft(styles, state).toEqual([]);
      expect.soft(await moving(), state).toEqual([]);
    }
  }
});

test('with forced colors, the focus in the composer is visible, and axe finds nothing serious', async ({
  previews,
}) => {
  const { page } = previews;
  await page.emulateMedia({ forcedColors: 'active' });
  for (const preview of pages) {
    for (const state of preview.states) {
      await previews.show(preview, state, 'hcDark');
      // The system sets the colors then, while computed styles still report those of the theme.
      expect.soft(await serious(page, { without: ['color-contrast'] }), state).toEqual([]);
    }
  }
  await previews.show(panelPreview, 'conversation', 'hcDark');
  await page.getByTestId('composer').focus();
  const outline = (): Promise<string> =>
    page.locator('.composer-box').evaluate((box) => getComputedStyle(box).outlineStyle);
  await expect.poll(outline).toBe('solid');
});

test('the composer is reachable at 200 % zoom of a 560 by 800 window, and nothing scrolls sideways', async ({
  browser,
  previews,
}) => {
  const zoomed = await browser.newPage({ deviceScaleFactor: 2, viewport: { width: 280, height: 400 } });
  const inZoomed = previews.in(zoomed);
  for (const preview of pages) {
    for (const state of preview.states) {
      await inZoomed.show(preview, state);
      await softly.poll(() => inZoomed.tooWide(), state).toBe(0);
      if (preview !== panelPreview) continue;
      const button = zoomed.locator('.composer .submit');
      await button.focus();
      await expect(button).toBeInViewport();
    }
  }
  await zoomed.close();
});

/** The decisions of the user that the page has told. */
function decisions(page: Page): Promise<readonly unknown[]> {
  return page.evaluate(() => {
    const { calls } = globalThis as unknown as { calls: readonly { method: string; params: { asked: number } }[] };
    return calls.flatMap(({ method, params }) => (method.startsWith('decide') ? [[method, params.asked]] : []));
  });
}

test('a key that is still held does not answer a question that appears', async ({ previews }) => {
  const { page } = previews;
  await previews.show(panelPreview, 'conversation');
  const composer = page.getByTestId('composer');
  await composer.fill('A question');
  await page.keyboard.down('Enter');
  await expect(composer).toHaveValue('');
  await host(page, { type: 'turn-added', turn: { ...asked, prompt, answer: '' } });
  await host(page, meta('confirming', { ...(confirmation === undefined ? {} : { confirmation }), asked: 1 }));
  await expect(page.getByTestId('send-masked')).toBeFocused();
  for (let repeat = 0; repeat < 3; repeat += 1) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  expect(await decisions(page)).toEqual([]);
  await page.keyboard.press('Enter');
  expect(await decisions(page)).toEqual([['decide', 1]]);
});

test('the second click of a double click does not answer a question that took the place of the first', async ({
  previews,
}) => {
  const { page } = previews;
  await previews.show(panelPreview, 'toolAskingOnce');
  const { mouse } = page;
  const turn = previewStates(0).toolAskingOnce?.turns[0] as TurnView;
  const { answer: _, prompt: __, ...more } = turn;
  const step = turn.steps?.find(({ state }) => state === 'asking');
  const allow = page.getByTestId('allow-once');
  const box = await allow.boundingBox();
  const [x = 0, y = 0] = [(box?.x ?? 0) + 9, (box?.y ?? 0) + 9];
  await mouse.click(x, y);
  const other = { ...step, asked: 7 } as NonNullable<typeof step>;
  await host(page, { type: 'turn-changed', turn: { ...more, steps: [other] } as TurnMeta });
  // Another button, at the same place.
  await expect.poll(async () => (await allow.boundingBox())?.y).toBe(box?.y);
  await expect(allow).not.toBeFocused();
  await mouse.down({ clickCount: 2 });
  await mouse.up({ clickCount: 2 });
  expect(await decisions(page)).toHaveLength(1);
  await mouse.click(x, y);
  expect(await decisions(page)).toHaveLength(2);
  expect((await decisions(page))[1]).toEqual(['decideTool', 7]);
});
