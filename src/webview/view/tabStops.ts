/** The elements at which the Tab key stops, if they are visible. */
const stops = 'a[href], button, summary, textarea, [tabindex="0"]';

/**
 * The parts of a turn that are a single stop each, with everything in them; all other elements of a turn belong to its answer.
 */
const groups = ['.question', '.footer, .card'] as const;

/** The parts in which the user is asked or writes: each of their elements is a stop of its own. */
const separate = '.confirmation, .retry, .step[data-state=asking], .editing, .summary:has(textarea)';

/** The elements that can be scrolled with the arrow keys. */
const scrollers = ':not(a, button, summary)';

/**
 * Tab goes from the question to the answer and its footer: three stops for each turn. Arrow keys move within one of these parts,
 * and from its second element on, Tab stops everywhere, as in any page. Returns whether the key was used.
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
    // The browser handles Tab within a part that the user has entered, and in the answer itself.
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

/** Returns the first element of a part. Shift+Tab from below would otherwise focus the last element of the part. */
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

/** Returns the part that contains an element; an element that is a stop of its own is a part itself. */
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

/** Returns the first stop of the next turn that has one or, for a step of -1, the last stop of the previous turn that has one. */
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

/** Returns the first stop of the page after the conversation. */
function firstAfter(transcript: HTMLElement): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>(stops)].find(
    (element) =>
      (transcript.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 &&
      !transcript.contains(element) &&
      element.tabIndex >= 0 &&
      element.checkVisibility(),
  );
}

/** Returns the direction of an arrow key, or 0 if the key has its normal effect, such as scrolling the element. */
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
