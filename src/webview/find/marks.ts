import { FlushClock, pageFrames } from '../markdown/flushClock.ts';
import { blocksInSight, rangeOf } from './pageText.ts';
import { matchesIn } from './pattern.ts';

/** The distance in px outside the transcript within which matches are marked: about what a user scrolls in a frame. */
const near = 200;

/** The maximum number of marks at a time: a user could not distinguish more, and each takes time to paint. */
const marksAtOnce = 500;

/**
 * The style rules of the marks. They are applied only during a search: with rules for highlights, the browser computes the styles
 * of every element again, and a long answer with code takes a third longer. A highlight cannot have a border, so matches are
 * underlined where the theme has no color for them.
 */
const rules = `
::highlight(svc-find) {
  background-color: var(--vscode-editor-findMatchHighlightBackground, transparent);
  text-decoration: underline 2px var(--vscode-editor-findMatchHighlightBorder, transparent);
}
::highlight(svc-find-current) {
  background-color: var(--vscode-editor-findMatchBackground, var(--vscode-editor-selectionBackground));
  color: var(--vscode-editor-findMatchForeground, var(--vscode-editor-selectionForeground, inherit));
}`;

/** Events after which other text may be visible. */
const moves = ['scroll', 'toggle'];

/**
 * Marks the visible matches with the browser's highlights. They change no element, except for a frame around a formula, and so do
 * not affect answers, the selection or screen readers. Other matches are not marked: with hundreds of marks in highlighted code,
 * a frame takes a quarter of a second, even if they are out of sight.
 */
export class Marks {
  readonly #scroller: Element;
  readonly #clock = new FlushClock(pageFrames, () => this.#draw());
  readonly #changes = new MutationObserver(() => this.#clock.request());
  readonly #onMove = (): void => this.#clock.request();
  readonly #sheet = new CSSStyleSheet();
  #pattern: RegExp | undefined;
  #current: StaticRange | undefined;
  #framed: Element | undefined;
  readonly #whereIs: () => StaticRange | undefined;

  /** `whereIs` locates the current match after its part of the page was redrawn. */
  constructor(scroller: Element, whereIs: () => StaticRange | undefined) {
    this.#scroller = scroller;
    this.#whereIs = whereIs;
    this.#sheet.replaceSync(rules);
    document.adoptedStyleSheets.push(this.#sheet);
    this.#changes.observe(scroller, { characterData: true, childList: true, subtree: true });
    // Captured, because these events do not bubble, and parts of a turn can scroll.
    for (const kind of moves) scroller.addEventListener(kind, this.#onMove, { capture: true, passive: true });
    window.addEventListener('resize', this.#onMove);
  }

  show(pattern: RegExp | undefined, current: StaticRange | undefined): void {
    this.#pattern = pattern;
    this.#current = current;
    this.#clock.request();
  }

  dispose(): void {
    this.#clock.cancel();
    this.#changes.disconnect();
    for (const kind of moves) this.#scroller.removeEventListener(kind, this.#onMove, { capture: true });
    window.removeEventListener('resize', this.#onMove);
    CSS.highlights.delete('svc-find');
    CSS.highlights.delete('svc-find-current');
    this.#frame(undefined);
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== this.#sheet);
  }

  #draw(): void {
    if (this.#current?.startContainer.isConnected === false) this.#current = this.#whereIs();
    CSS.highlights.set('svc-find', new Highlight(...this.#inSight()));
    const current = new Highlight(...(this.#current === undefined ? [] : [this.#current]));
    current.priority = 1;
    CSS.highlights.set('svc-find-current', current);
    this.#frame(this.#current?.startContainer.parentElement?.closest('.math.typeset') ?? undefined);
  }

  /** Frames the formula of the current match, because its source is not visible. */
  #frame(formula: Element | undefined): void {
    if (formula === this.#framed) return;
    this.#framed?.classList.remove('found');
    formula?.classList.add('found');
    this.#framed = formula;
  }

  #inSight(): readonly StaticRange[] {
    const pattern = this.#pattern;
    if (pattern === undefined) return [];
    const { top, bottom } = this.#scroller.getBoundingClientRect();
    const isInSight = (element: Element): boolean => {
      const box = element.getBoundingClientRect();
      return box.bottom > top - near && box.top < bottom + near;
    };
    const blocks = [...this.#scroller.querySelectorAll('.turn-group, .turns > .summary')]
      .filter(isInSight)
      .flatMap((group) => [...group.children].filter(isInSight))
      .flatMap((turn) => blocksInSight(turn, top - near, bottom + near));
    const ranges: StaticRange[] = [];
    for (const block of blocks) {
      const spans = matchesIn(block.text, pattern, marksAtOnce - ranges.length);
      for (const span of spans) {
        const range = rangeOf(block, span);
        if (range !== undefined) ranges.push(range);
      }
    }
    return ranges;
  }
}
