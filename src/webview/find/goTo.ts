import { blocksIn, rangeOf } from './pageText.ts';
import { matchesIn } from './pattern.ts';
import type { Match } from './search.ts';

/**
 * The maximum number of frames in which a turn must be drawn and scrolling must end: turns get their real size when they are
 * near.
 */
const drawnWithin = 120;
const restsWithin = 20;

/** The distance in px from the upper and lower edge at which a match needs no scrolling. */
const margin = 24;

/** Scrolls to a match, and unfolds its parents. Returns the range of the match, or undefined if the page does not show it. */
export async function goTo(match: Match, pattern: RegExp, signal: AbortSignal): Promise<StaticRange | undefined> {
  let range: StaticRange | undefined;
  for (let frame = 0; frame < drawnWithin && range === undefined && !signal.aborted; frame += 1) {
    if (frame > 0) await nextFrame();
    const turn = turnOf(match);
    // A long question is folded: only its beginning is drawn.
    if (match.field === 'prompt') click(turn?.querySelector('.prompt-fold[aria-expanded="false"]'));
    range = placeIn(turn, match, pattern);
    // A question that is being edited shows no matches.
    if (turn?.querySelector('.question.editing') != null && match.field === 'prompt') break;
  }
  const place = range?.startContainer.parentElement ?? turnOf(match);
  if (place === null || place === undefined || signal.aborted) return undefined;
  // The browser's own search fires this event, too: it distinguishes a search from a change of the page.
  place.dispatchEvent(new Event('beforematch', { bubbles: true }));
  unfold(place);
  keepLaidOut(place, signal);
  for (let frame = 0, isMoving = true; frame < restsWithin && isMoving && !signal.aborted; frame += 1) {
    if (frame > 0) await nextFrame();
    isMoving = scrollTo(place, range);
  }
  return range;
}

/** Returns the range of a match in the page, or undefined if the match is not drawn. */
export function placeOf(match: Match, pattern: RegExp): StaticRange | undefined {
  return placeIn(turnOf(match), match, pattern);
}

/** Returns the element that shows the field of a turn. Only the last summary is shown, outside its turn. */
function turnOf({ turnId, field }: Match): Element | null {
  if (field === 'summary') return document.querySelector('.summary');
  return document.querySelector(`[data-turn="${CSS.escape(turnId)}"]`);
}

function placeIn(turn: Element | null, { field, nth }: Match, pattern: RegExp): StaticRange | undefined {
  let before = 0;
  for (const block of turn === null ? [] : blocksIn(turn, field)) {
    const spans = matchesIn(block.text, pattern, nth - before + 1);
    const span = spans[nth - before];
    if (span !== undefined) return rangeOf(block, span);
    before += spans.length;
  }
  return undefined;
}

function unfold(place: Element): void {
  for (let part: Element | null = place; part !== null; part = part.parentElement) {
    // Its summary is in sight when it is closed.
    if (part instanceof HTMLDetailsElement && !part.querySelector('summary')?.contains(place)) part.open = true;
  }
  const block = place.closest('.code-block.folded');
  if (place.closest('pre') !== null) click(block?.querySelector(':scope > .code-fold'));
}

/**
 * Keeps the parents of a match laid out, even out of sight, until `signal` aborts. While content is added, the browser's scroll
 * anchoring keeps the first visible part in place, but ignores parts whose layout it skips (`content-visibility`).
 */
function keepLaidOut(place: Element, signal: AbortSignal): void {
  for (let part: Element | null = place; part !== null; part = part.parentElement) {
    if (!(part instanceof HTMLElement) || getComputedStyle(part).contentVisibility !== 'auto') continue;
    const { style } = part;
    style.contentVisibility = 'visible';
    signal.addEventListener('abort', () => style.removeProperty('content-visibility'));
  }
}

function click(button: Element | null | undefined): void {
  if (button instanceof HTMLElement) button.click();
}

/** Scrolls every container of a match that does not show it. Returns whether any container has scrolled. */
function scrollTo(place: Element, range: StaticRange | undefined): boolean {
  let hasMoved = false;
  for (let part: Element | null = place; part !== null; part = part.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(part);
    const box = part.getBoundingClientRect();
    const at = (range && boxOf(range)) ?? place.getBoundingClientRect();
    const { scrollTop, scrollLeft } = part;
    if (overflowY === 'auto' && (at.top < box.top + margin || at.bottom > box.bottom - margin)) {
      part.scrollTop += at.top - box.top - part.clientHeight / 3;
    }
    if (overflowX === 'auto' && (at.left < box.left || at.right > box.right)) {
      part.scrollLeft += at.left - box.left - part.clientWidth / 3;
    }
    hasMoved ||= part.scrollTop !== scrollTop || part.scrollLeft !== scrollLeft;
  }
  return hasMoved;
}

/** Returns the box of the first line of a match in the window, or undefined if the page does not show it. */
export function boxOf(range: StaticRange): DOMRect | undefined {
  if (!range.startContainer.isConnected) return undefined;
  const live = document.createRange();
  live.setStart(range.startContainer, range.startOffset);
  live.setEnd(range.endContainer, range.endOffset);
  return live.getClientRects()[0];
}

function nextFrame(): Promise<unknown> {
  return new Promise((resolve) => {
    requestAnimationFrame(resolve);
  });
}
