/** What the Tab key stops at, if it is visible. */
const stops = 'a[href], button, summary, textarea, [tabindex="0"]';

/** Each is one stop, with everything in it; what a turn has besides belongs to its answer. */
const groups = ['.question', '.footer, .card'] as const;

/** The user is asked or writes here: each element is a stop of its own. */
const separate = '.confirmation, .retry, .step[data-state=asking], .editing, .summary:has(textarea)';

/** An element that can be scrolled with the arrow keys. */
const scrollers = ':not(a, button, summary)';

/**
 * Tab goes from the question to the answer and its footer: three stops for each turn. Arrow keys go on in one of these
 * parts, and from its second element on, Tab stops everywhere, as in any page. Returns whether the key was used.
 */
export function onStopKey(event: KeyboardEvent, transcript: HTMLElement): boolean {
  const { target, key, shiftKey, altKey, ctrlKey, metaKey } = event;
  if (!(target instanceof HTMLElement) || target === transcript || altKey || ctrlKey || metaKey) return false;
  const turn = turnOf(target);
  if (turn === null || target.closest(separate) !== null) return false;
  const all = stopsIn(turn);
  const own = all.filter((element) => groupOf(element) === groupOf(target));
  const at = own.indexOf(target);
  if (key === 'Tab') {
    // Within a part that the user has entered, and in the answer itself.
    if (at !== 0) return false;
    const next = shiftKey ? before(all, own, turn) : (after(all, own, turn) ?? firstAfter(transcript));
    next?.focus();
    return next !== undefined;
  }
  const step = shiftKey ? 0 : stepOf(key, target);
  const next = step === 0 || at === -1 ? undefined : own[at + step];
  next?.focus();
  return next !== undefined;
}

/** Shift+Tab from below comes to the last element of a part: the part begins with its first one. */
export function firstOfPart(element: HTMLElement): HTMLElement {
  const turn = turnOf(element);
  if (turn === null || element.closest(separate) !== null) return element;
  return stopsIn(turn).find((other) => groupOf(other) === groupOf(element)) ?? element;
}

function turnOf(element: Element): HTMLElement | null {
  return element.closest<HTMLElement>('.turn, .summary');
}

function stopsIn(turn: HTMLElement): readonly HTMLElement[] {
  return [...turn.querySelectorAll<HTMLElement>(stops)].filter(
    (element) => element.tabIndex >= 0 && element.checkVisibility(),
  );
}

/** The part of an element; elements with a stop of their own are parts themselves. */
function groupOf(element: Element): unknown {
  if (element.closest(separate) !== null) return element;
  return groups.find((group) => element.closest(group) !== null) ?? 'answer';
}

function after(all: readonly HTMLElement[], own: readonly HTMLElement[], turn: HTMLElement): HTMLElement | undefined {
  const last = all.indexOf(own.at(-1) as HTMLElement);
  return all[last + 1] ?? firstIn(turn, 1);
}

function before(all: readonly HTMLElement[], own: readonly HTMLElement[], turn: HTMLElement): HTMLElement | undefined {
  const last = all[all.indexOf(own[0] as HTMLElement) - 1] ?? firstIn(turn, -1);
  return last === undefined ? undefined : firstOfPart(last);
}

/** The first stop of the next turn that has one, or the last stop of the turn before. */
function firstIn(turn: HTMLElement, step: 1 | -1): HTMLElement | undefined {
  const turns = [...document.querySelectorAll<HTMLElement>('.turns :is(.turn, .summary)')];
  for (let at = turns.indexOf(turn) + step; at >= 0; at += step) {
    const other = turns[at];
    if (other === undefined) return undefined;
    const found = stopsIn(other).at(step === 1 ? 0 : -1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The first stop of the page behind the conversation. */
function firstAfter(transcript: HTMLElement): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>(stops)].find(
    (element) =>
      (transcript.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 &&
      !transcript.contains(element) &&
      element.tabIndex >= 0 &&
      element.checkVisibility(),
  );
}

/** Where an arrow key goes. In what can be scrolled, the keys that scroll it do so. */
function stepOf(key: string, element: HTMLElement): -1 | 0 | 1 {
  const isScroller = element.matches(scrollers);
  const isWide = isScroller && element.scrollWidth > element.clientWidth;
  const isHigh = isScroller && element.scrollHeight > element.clientHeight;
  switch (key) {
    case 'ArrowRight':
      return isWide ? 0 : 1;
    case 'ArrowLeft':
      return isWide ? 0 : -1;
    case 'ArrowDown':
      return isHigh ? 0 : 1;
    case 'ArrowUp':
      return isHigh ? 0 : -1;
    default:
      return 0;
  }
}
