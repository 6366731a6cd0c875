// Measures real frames, including painting, scrolling and all other work of a browser.
import type { Browser, Page } from '@playwright/test';
import type { Timed } from './messages.ts';
import { stepsOf } from './pages.ts';
import { conversation } from './texts.ts';

/**
 * The durations of the main thread's tasks in ms, before and after the page set the mark of that name. Processor time, so that
 * other programs on the machine are not included.
 */
export interface Tasks {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

export const mark = 'svc-bench';

export async function tasksDuring(browser: Browser, page: Page, run: () => Promise<void>): Promise<Tasks> {
  await browser.startTracing(page, {
    categories: ['toplevel', 'disabled-by-default-devtools.timeline', 'blink.user_timing'],
  });
  await run();
  const trace: { traceEvents: readonly TraceEvent[] } = JSON.parse((await browser.stopTracing()).toString());
  const mains = trace.traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  const threads = new Set(mains.map(({ pid, tid }) => `${pid}:${tid}`));
  const tasks = trace.traceEvents.filter(({ name, pid, tid }) => name === 'RunTask' && threads.has(`${pid}:${tid}`));
  const at = trace.traceEvents.find(({ name }) => name === mark)?.ts ?? Number.POSITIVE_INFINITY;
  const ms = (wanted: (task: TraceEvent) => boolean): readonly number[] =>
    tasks.filter(wanted).map(({ tdur = 0 }) => tdur / 1000);
  return { before: ms(({ ts }) => ts < at), after: ms(({ ts }) => ts >= at) };
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

export interface Painted {
  readonly frames: number;
  /** Frames that were one or more frames late. */
  readonly dropped: number;
  readonly longestTaskMs: number;
  /** All work of the main thread, including painting. */
  readonly workMs: number;
}

/** Plays messages in real time, painted. A late frame is treated as dropped, regardless of the cause. */
export async function paintStream(browser: Browser, page: Page, messages: readonly Timed[]): Promise<Painted> {
  let gaps: readonly number[] = [];
  const tasks = await tasksDuring(browser, page, async () => {
    gaps = await page.evaluate(async (given) => {
      const seen: number[] = [];
      const begin = performance.now();
      let next = 0;
      let last = 0;
      await new Promise<void>((done) => {
        const frame = (time: number): void => {
          if (last > 0) seen.push(time - last);
          last = time;
          for (let one = given[next]; one !== undefined && one.at <= performance.now() - begin; one = given[++next])
            window.stage.contender.take(one.message, one.text);
          if (next < given.length) requestAnimationFrame(frame);
          else done();
        };
        requestAnimationFrame(frame);
      });
      return seen;
    }, stepsOf(messages));
  });
  return {
    frames: gaps.length,
    dropped: gaps.filter((gap) => gap > 25).length,
    longestTaskMs: Math.max(...tasks.before),
    workMs: tasks.before.reduce((sum, ms) => sum + ms, 0),
  };
}

export interface Opened {
  readonly firstTaskMs: number;
  readonly longestSliceMs: number;
  /** The distance in pixels that the visible turns moved while older ones were added. */
  readonly jumpPx: number;
  readonly resizeMs: number;
}

/** Opens a conversation of 500 turns, and narrows the panel when all of them are loaded. */
export async function openConversation(browser: Browser, page: Page): Promise<Opened> {
  const turns = conversation(500).map(({ prompt, answer }, index) => ({
    ...{ id: `t${index}`, prompt, answer, context: [], model: 'm', status: 'complete' },
  }));
  await page.evaluate((given) => Object.assign(window, { given }), turns);
  let jumpPx = Number.NaN;
  const tasks = await tasksDuring(browser, page, async () => {
    jumpPx = await page.evaluate(async (name) => {
      const given: readonly unknown[] = Reflect.get(window, 'given');
      const state = { ...JSON.parse(document.body.dataset.state ?? '{}'), conversationId: 'long', turns: given };
      window.postMessage({ type: 'events', seq: 1, events: [{ type: 'snapshot', state }] });
      const count = (): number => document.querySelectorAll('[data-testid=turn]').length;
      const next = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));
      while (document.querySelectorAll('.blocks').length < 20) await next();
      performance.mark(name);
      const scroller = document.querySelector('.transcript');
      const turn = [...document.querySelectorAll('[data-testid=turn]')].at(-2);
      if (scroller === null || turn === undefined) throw new Error('There is no conversation.');
      // The user has scrolled up a little to read.
      scroller.scrollTop -= 400;
      await next();
      await next();
      const from = turn.getBoundingClientRect().top;
      let most = 0;
      while (count() < given.length) {
        await next();
        most = Math.max(most, Math.abs(turn.getBoundingClientRect().top - from));
      }
      return most;
    }, mark);
  });
  const resizeMs = await page.evaluate(() => {
    void document.body.offsetHeight;
    const from = performance.now();
    document.body.style.width = '320px';
    void document.body.offsetHeight;
    return performance.now() - from;
  });
  return { firstTaskMs: Math.max(...tasks.before), longestSliceMs: Math.max(...tasks.after), jumpPx, resizeMs };
}
