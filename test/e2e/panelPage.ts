import type { Page } from '@playwright/test';
import type { ViewEvent, ViewState } from '../../src/protocol/panelEvents.ts';
import type { TurnView } from '../../src/protocol/turnView.ts';

/** The panel's page in a separate browser, without VS Code: what a test says in place of the host. */

export const turn: TurnView = {
  id: 'first',
  prompt: 'Hello',
  context: [],
  model: 'm',
  status: 'complete',
  answer: 'Hello.',
};

export const state: ViewState = {
  conversationId: 'c',
  model: 'm',
  posture: { label: '', short: '', headers: [], problems: [] },
  tools: { count: 0, label: 'Tools: off', reason: '' },
  mode: { label: 'Ask', detail: 'Answers questions.', whyNoChange: '' },
  mayKeepDraft: true,
  messageLimit: { bytes: 4_000_000, words: 'This is too large.' },
  busy: false,
  attachments: [],
  messages: [],
  attachmentProblem: '',
  starters: { items: [], hint: { text: '', names: [] } },
  turns: [turn],
};

/** Sends events and lets the page draw a frame. */
export async function tell(page: Page, ...events: readonly ViewEvent[]): Promise<void> {
  await page.evaluate(async (given) => {
    const { host } = window as unknown as { host(...events: readonly unknown[]): void };
    host(...given);
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }, events);
}

/** An answer that comes in pieces of a size. */
export async function stream(page: Page, id: string, text: string, size: number): Promise<void> {
  const { answer: _, ...meta } = { ...turn, id };
  await tell(page, { type: 'turn-added', turn: { ...meta, answer: '', status: 'streaming' } });
  for (let at = 0; at < text.length; at += size) {
    await tell(page, { type: 'delta', turnId: id, text: text.slice(at, at + size) });
  }
  await tell(page, { type: 'turn-changed', turn: meta });
}
