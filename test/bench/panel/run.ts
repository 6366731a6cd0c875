import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from '@playwright/test';
import type { Metafile } from 'esbuild';
import type { ViewState } from '../../../src/protocol/panelEvents.ts';
import { findBrowser } from '../../tools/browser.ts';
import { installOnce } from '../../tools/installOnce.ts';
import { median } from '../client/median.ts';
import { percentile } from '../timing.ts';
import { searchConversation } from './found.ts';
import { messagesOf, mostInASecond, turnId } from './messages.ts';
import { type ContenderName, following, playStepped, withPage } from './pages.ts';
import { openConversation, paintStream } from './painted.ts';
import { pasteQuestion } from './pasted.ts';
import { type Pages, servePages } from './server.ts';
import { hugeText, mixedText } from './texts.ts';

const file = fileURLToPath(new URL('../../../test-results/bench/panel.json', import.meta.url));

/** Characters per second. */
const pace = 16 * 1024;
/** The peers draw only every n-th frame, and their time is multiplied: all frames would take minutes. */
const every = 48;
const sizes = [20_000, 200_000, 2_000_000] as const;

const empty: ViewState = {
  conversationId: 'bench',
  model: 'svc/auto',
  posture: { label: '', short: '', headers: [], problems: [] },
  tools: { count: 0, label: 'Tools: off', reason: '' },
  mode: { label: 'Ask', detail: 'Answers questions.', whyNoChange: '' },
  mayKeepDraft: true,
  messageLimit: { bytes: 4_000_000, words: 'This is too large.' },
  busy: true,
  attachments: [],
  messages: [],
  attachmentProblem: '',
  starters: { items: [], hint: { text: '', names: [] } },
  turns: [{ id: turnId, prompt: 'Why?', context: [], model: 'svc/auto', status: 'streaming', answer: '' }],
};

/**
 * Prints the times of the panel in a real browser compared with peers, and writes test-results/bench/panel.json.
 * Returns the exit code: 1 if a target is missed and `check` is set.
 */
export async function panelBench({ check, rounds }: { check: boolean; rounds: string }): Promise<number> {
  installOnce(new URL('../', import.meta.url));
  const pages = await servePages(empty, ['plain', 'marked', 'reactMarkdown']);
  const browser = await chromium.launch(await findBrowser());
  try {
    const measured: Measured[] = [];
    for (let round = 0; round < Number(rounds); round += 1) {
      measured.push(await measure(browser, pages));
      // The results of an interrupted run.
      writeFileSync(file, `${JSON.stringify({ rounds, measured }, null, 2)}\n`);
    }
    const peers = {
      marked: await peerMs(browser, pages, 'marked'),
      react: await peerMs(browser, pages, 'reactMarkdown'),
    };
    const names = Object.keys(measured[0] ?? {}) as (keyof Measured)[];
    const of = Object.fromEntries(names.map((name) => [name, median(measured.map((one) => one[name]))])) as Measured;
    const targets = [
      { name: '200 KB / plain text', value: of.answerMs / of.plainMs, limit: 6 },
      { name: 'p95 of a flush (ms)', value: of.flushP95Ms, limit: 4 },
      { name: '16 KB/s painted: frames dropped', value: of.dropped, limit: 0 },
      { name: '16 KB/s painted: longest task (ms)', value: of.longestTaskMs, limit: 50 },
      { name: '2 MB / plain text', value: of.hugeMs / of.hugePlainMs, limit: 6 },
      { name: '2 MB: longest frame (ms)', value: of.hugeFrameMs, limit: 100 },
      { name: 'a delta at 20 KB, 200 KB, 2 MB: most / least', value: of.deltaRatio, limit: 1.5 },
      { name: 'the same, not in a fresh page: most / least', value: of.lengthRatio, limit: 1.5 },
      { name: '500 turns: first task (ms)', value: of.firstTaskMs, limit: 190 },
      { name: '500 turns: longest slice (ms)', value: of.sliceMs, limit: 16 },
      { name: '500 turns: scroll jump (px)', value: of.jumpPx, limit: 1 },
      { name: '500 turns: resize (ms)', value: of.resizeMs, limit: 35 },
      { name: '500 turns: first match (ms of work)', value: of.foundMs, limit: 150 },
      { name: '500 turns: longest task of scrolling through matches (ms)', value: of.foundTaskMs, limit: 50 },
      { name: '3 MB pasted: until they are shown (ms of work)', value: of.pastedMs, limit: 250 },
      { name: '3 MB sent: until the turn is shown (ms of work)', value: of.pastedSentMs, limit: 250 },
      { name: 'first script (kB)', value: firstScript(pages.metafile) / 1000, limit: 125 },
      { name: 'messages a second', value: mostInASecond(messagesOf(mixedText(500_000), 200_000)), limit: 35 },
    ].map((target) => ({ ...target, isMet: target.value <= target.limit }));
    console.log(`Medians of ${rounds} rounds, ${browser.browserType().name()} ${browser.version()}`);
    console.table([
      { '200 KB in 8-character deltas': 'text nodes of 2 KB', ms: Math.round(of.plainMs), ratio: '1 x' },
      ...Object.entries({
        'Svc Coder': of.answerMs,
        'marked + DOMPurify': peers.marked,
        'react-markdown': peers.react,
      }).map(([name, ms]) => ({
        '200 KB in 8-character deltas': name,
        ms: Math.round(ms),
        ratio: `${(ms / of.plainMs).toFixed(1)} x`,
      })),
    ]);
    for (const { name, value, limit, isMet } of targets)
      console.log(`${isMet ? 'met   ' : 'MISSED'} ${name}: ${value.toFixed(2)} (at most ${limit})`);
    console.log(
      `16 KB/s painted: ${Math.round(of.paintedMs)} ms of the main thread, plain text ${Math.round(of.paintedPlainMs)} ms.`,
    );
    console.log(`Plain text, painted the same way, dropped ${of.droppedByPlain} frames: these are the machine's.`);
    writeFileSync(file, `${JSON.stringify({ rounds, targets, peers, measured }, null, 2)}\n`);
    return check && targets.some(({ isMet }) => !isMet) ? 1 : 0;
  } finally {
    await browser.close();
    pages.close();
  }
}

type Measured = Readonly<Record<keyof Awaited<ReturnType<typeof measure>>, number>>;

async function measure(browser: Browser, pages: Pages) {
  const answer = messagesOf(mixedText(200_000), pace);
  const huge = messagesOf(hugeText(), pace);
  const stepped = (name: ContenderName, messages: typeof answer) =>
    withPage(browser, pages, name, (page) => playStepped(page, messages));
  const plain = await stepped('plain', answer);
  const panel = await stepped('panel', answer);
  const hugePlain = await stepped('plain', huge);
  const hugePanel = await stepped('panel', huge);
  const deltas = [];
  const lengths = [];
  for (const size of sizes) {
    deltas.push(await deltaMs(browser, pages, size, 0));
    lengths.push(await deltaMs(browser, pages, size, 200_000));
  }
  const painted = await withPage(browser, pages, 'panel', (page) => paintStream(browser, page, answer));
  const control = await withPage(browser, pages, 'plain', (page) => paintStream(browser, page, answer));
  const opened = await withPage(browser, pages, 'panel', (page) => openConversation(browser, page));
  const found = await withPage(browser, pages, 'panel', (page) => searchConversation(browser, page));
  const pasted = await withPage(browser, pages, 'panel', (page) => pasteQuestion(browser, page));
  return {
    plainMs: plain.totalMs,
    answerMs: panel.totalMs,
    flushP95Ms: percentile(panel.costs, 0.95),
    hugePlainMs: hugePlain.totalMs,
    hugeMs: hugePanel.totalMs,
    hugeFrameMs: Math.max(...hugePanel.costs),
    deltaRatio: Math.max(...deltas) / Math.min(...deltas),
    lengthRatio: Math.max(...lengths) / Math.min(...lengths),
    dropped: painted.dropped,
    droppedByPlain: control.dropped,
    longestTaskMs: painted.longestTaskMs,
    paintedMs: painted.workMs,
    paintedPlainMs: control.workMs,
    firstTaskMs: opened.firstTaskMs,
    sliceMs: opened.longestSliceMs,
    jumpPx: opened.jumpPx,
    resizeMs: opened.resizeMs,
    foundMs: found.firstMs,
    foundTaskMs: found.scrollTaskMs,
    pastedMs: pasted.shownMs,
    pastedSentMs: pasted.sentMs,
  };
}

/**
 * The median frame of 16 KB more, after an answer of `size` characters, and after another answer of `earlier`
 * characters that was shown before: in a fresh page the script's first second costs more than any length, and hides the
 * cost of a length.
 */
async function deltaMs(browser: Browser, pages: Pages, size: number, earlier: number): Promise<number> {
  const other = messagesOf(mixedText(earlier, 10), 400_000);
  const gone = following(other, [
    { at: 0, message: { type: 'events', seq: 2, events: [{ type: 'snapshot', state: empty }] } },
  ]);
  const before = following([...other, ...gone], messagesOf(`${mixedText(size, 11)}\n\n`, 400_000));
  const more = following([...other, ...gone, ...before], messagesOf(mixedText(pace, 12), pace));
  return withPage(browser, pages, 'panel', async (page) => {
    for (const messages of [other, gone, before]) await playStepped(page, messages);
    return median((await playStepped(page, more)).costs);
  });
}

async function peerMs(browser: Browser, pages: Pages, name: ContenderName): Promise<number> {
  const messages = messagesOf(mixedText(200_000), pace);
  const { costs } = await withPage(browser, pages, name, (page) => playStepped(page, messages, every));
  // Each message causes one frame with changes.
  return (costs.reduce((sum, cost) => sum + cost, 0) / costs.length) * messages.length;
}

/** The page's script and its static imports. */
function firstScript({ outputs }: Metafile): number {
  const main = Object.keys(outputs).find((name) => name.endsWith('/main.js')) ?? '';
  const all = new Set([main]);
  for (const name of all) {
    for (const { path, kind } of outputs[name]?.imports ?? []) if (kind === 'import-statement') all.add(path);
  }
  return [...all].reduce((sum, name) => sum + (outputs[name]?.bytes ?? 0), 0);
}
