// The panel's page in a separate browser, read by a screen reader that runs in the page.
import { type Browser, chromium, expect, type Page, test } from '@playwright/test';
import { build } from 'esbuild';
import type { ViewEvent, ViewState } from '../../../src/protocol/panelEvents.ts';
import type { TurnView } from '../../../src/protocol/turnView.ts';
import { type Pages, servePages } from '../../bench/panel/server.ts';
import { findBrowser } from '../../tools/browser.ts';
import type { ViewFields } from '../../tools/turns.ts';

const turn: TurnView = { id: 'first', prompt: 'Hello', context: [], model: 'm', status: 'complete', answer: 'Hello.' };
const state: ViewState = {
  conversationId: 'c',
  model: 'm',
  posture: { label: '', short: '', headers: [], problems: [] },
  mayKeepDraft: true,
  messageLimit: { bytes: 4_000_000, words: 'This is too large.' },
  busy: false,
  attachments: [],
  messages: [],
  attachmentProblem: '',
  tools: { count: 0, label: 'Tools: off', reason: '' },
  mode: { label: 'Ask', detail: 'Answers questions.', whyNoChange: '' },
  starters: { items: [], hint: { text: '', names: [] } },
  turns: [turn],
};
const asked: TurnView = { ...turn, id: 'second', prompt: 'And now?', status: 'waiting', answer: '' };

declare global {
  var screenReader: Pick<typeof import('@guidepup/virtual-screen-reader'), 'virtual'>;
}

/** The script of the reader, for a page. */
let reader = '';
let browser: Browser;
let pages: Pages;
let page: Page;

test.beforeAll(async () => {
  const contents = "export { virtual } from '@guidepup/virtual-screen-reader/browser.js';";
  const { outputFiles } = await build({
    ...{ stdin: { contents, resolveDir: import.meta.dirname }, globalName: 'screenReader' },
    ...{ bundle: true, format: 'iife', platform: 'browser', write: false },
  });
  reader = outputFiles[0]?.text ?? '';
  pages = await servePages(state, []);
  browser = await chromium.launch(await findBrowser());
});

test.afterAll(async () => {
  await browser.close();
  pages.close();
});

test.beforeEach(async () => {
  // The reader is a script of the test, which the policy of the page refuses.
  const context = await browser.newContext({ viewport: { width: 320, height: 700 }, bypassCSP: true });
  page = await context.newPage();
  await page.goto(`${pages.address}/panel`);
  await expect(page.getByTestId('answer')).toContainText('Hello.');
  await page.addScriptTag({ content: reader });
  await page.evaluate(() => globalThis.screenReader.virtual.start({ container: document.body }));
});

test.afterEach(() => page.context().close());

function spoken(): Promise<readonly string[]> {
  return page.evaluate(() => globalThis.screenReader.virtual.spokenPhraseLog());
}

/** Sends events of the host, and waits until the reader says this about them. */
async function hears(words: string, ...events: readonly ViewEvent[]): Promise<void> {
  const { length } = await spoken();
  await page.evaluate((given) => {
    const { host } = window as unknown as { host(...events: readonly unknown[]): void };
    host(...given);
  }, events);
  await expect.poll(async () => (await spoken()).slice(length).join('\n')).toContain(words);
}

const changed = (change: ViewFields): ViewEvent => {
  const { answer: _, prompt: __, ...meta } = { ...asked, ...change } as TurnView;
  return { type: 'turn-changed', turn: meta };
};

test('hears a question that is sent, the wait, a tool call to approve, and the complete answer', async () => {
  await hears('The question was sent. Waiting for the service', { type: 'turn-added', turn: asked });
  const step = { id: '0.0', at: 0, title: 'Read a.ts', question: 'Svc wants to read a.ts', note: '', input: '{}' };
  await hears('Svc wants to read a.ts', changed({ status: 'calling', steps: [{ ...step, state: 'asking' }] }));
  await hears('Thinking…', changed({ thought: { label: 'Thinking…', isOpen: true } }));
  await hears('The answer has started.', changed({ status: 'streaming', steps: [{ ...step, state: 'done' }] }));
  const text = { type: 'delta', turnId: asked.id, text: '```ts\nlet a;\n```\n' } as const;
  await hears('The answer is complete. Code blocks: 1.', text, changed({ status: 'complete' }));
});

test('hears with the end of an answer that the service contradicts the request', async () => {
  const receipt = {
    ...{ label: 'Service reports different settings', facts: [], text: '' },
    verdict: 'contradicted',
    isOpen: true,
    headers: [{ name: 'Svc-Security-Level', requested: 'high', said: 'standard', verdict: 'contradicted' }],
    contradictions: ['Svc-Security-Level: You asked for high; the service reports standard.'],
  } as const;
  await hears('Waiting for the service', { type: 'turn-added', turn: asked });
  await hears(
    'The answer is complete. Code blocks: 0. Service reports different settings. Svc-Security-Level: You asked for high; the service reports standard.',
    changed({ status: 'complete', receipt }),
  );
  await expect(page.getByTestId('receipt').locator('table')).toBeVisible();
  // The user closes it: another change of the turn does not open it again, nor does a new page while the host knows.
  await page.getByTestId('receipt').locator('summary').click();
  const calls = (): Promise<unknown> =>
    page.evaluate(() => JSON.stringify((globalThis as unknown as { calls: unknown }).calls));
  await expect.poll(calls).toContain('"closeReceipt","params":{"turnId":"second","isSummary":false}');
});

test('hears that a question waits, and that it was not sent', async () => {
  const waiting = { text: 'Next', attachments: [], isSending: false };
  await hears(
    'Your question is sent when the answer is complete.',
    { type: 'turn-added', turn: asked },
    { type: 'busy-changed', busy: true },
    { type: 'waiting-changed', waiting },
  );
  const card = { severity: 'error', title: 'No answer.', detail: 'Try later.', actions: [] } as const;
  await hears('No answer. Try later. The waiting question was not sent.', changed({ status: 'failed', card }), {
    type: 'busy-changed',
    busy: false,
  });
});

test('hears of proposed changes with the end of the answer, once, and what became of them', async () => {
  const shown = { set: 's', version: 1 };
  const changes = { shown, title: 'Proposed: 2 files.', files: [], canDecide: false, hasOpen: true };
  await hears(
    'Waiting for the service',
    { type: 'turn-added', turn: asked },
    { type: 'busy-changed', busy: true },
    { type: 'changes-changed', changes: { ...changes, title: 'Proposed: 1 file.' } },
    { type: 'changes-changed', changes },
  );
  const heard = (await spoken()).join('\n');
  expect(heard).not.toContain('Proposed:');
  // The host may tell of the changes before or after it is idle.
  await hears(
    'The answer is complete. Code blocks: 0. Proposed: 2 files.',
    changed({ status: 'complete' }),
    { type: 'changes-changed', changes: { ...changes, canDecide: true } },
    { type: 'busy-changed', busy: false },
  );
  const written = { ...changes, canDecide: true, title: 'Written: 2 files.', hasOpen: false };
  await hears('Written: 2 files.', { type: 'changes-changed', changes: written });
});

test('hears why there is no answer, and that a request waits for a confirmation', async () => {
  await hears('Waiting for the service', { type: 'turn-added', turn: asked });
  const card = { severity: 'error', title: 'No answer.', detail: 'Try later.', actions: [] } as const;
  await hears('No answer. Try later.', changed({ status: 'failed', card }));
  await hears('The question was sent. Waiting for the service', {
    type: 'turn-added',
    turn: { ...asked, id: 'third' },
  });
  const confirmation = { title: 'Review this request', facts: [], found: [], sendLabel: 'Send' };
  await hears(
    'The request has not been sent. Waiting for your confirmation.',
    changed({ id: 'third', status: 'confirming', confirmation }),
  );
});

test('hears to which answer a key goes', async () => {
  const card = { severity: 'error', title: 'No answer.', detail: 'Try later.', actions: [] } as const;
  await hears('Waiting for the service', { type: 'turn-added', turn: asked });
  await hears('No answer.', changed({ status: 'failed', card }));
  for (const [key, words] of [
    ['Alt+PageUp', 'Answer 2 of 2'],
    ['Alt+PageUp', 'Answer 1 of 2'],
    ['Alt+PageDown', 'Answer 2 of 2'],
  ] as const) {
    const { length } = await spoken();
    await page.keyboard.press(key);
    await expect.poll(async () => (await spoken()).slice(length).join('\n')).toContain(words);
  }
});
