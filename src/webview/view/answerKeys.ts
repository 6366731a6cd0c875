type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/**
 * Returns the step of a key: Alt+PageUp goes to the previous answer, Alt+PageDown to the next one. Returns null for other keys.
 */
export function answerStep({ key, ctrlKey, metaKey, altKey, shiftKey }: Key): -1 | 1 | null {
  if (!altKey || ctrlKey || metaKey || shiftKey) return null;
  return key === 'PageUp' ? -1 : key === 'PageDown' ? 1 : null;
}

/** Whether a key is Alt+F1, as in the rest of VS Code; on Linux also with Shift. */
export function isHelpKey({ key, ctrlKey, metaKey, altKey }: Key): boolean {
  return key === 'F1' && altKey && !ctrlKey && !metaKey;
}

/** Moves the focus to the previous or next answer; the composer follows the last answer. Returns the id of the answer's turn. */
export function goToAnswer(step: -1 | 1): string | undefined {
  const turns = [...document.querySelectorAll<HTMLElement>('.turn[data-turn]')];
  const at = turns.findIndex((turn) => turn.contains(document.activeElement));
  const next = at === -1 ? (step === -1 ? turns.length - 1 : turns.length) : at + step;
  const turn = turns[Math.max(0, next)];
  if (turn === undefined) {
    document.querySelector<HTMLElement>('[data-testid=composer]')?.focus();
    return undefined;
  }
  const answer = turn.querySelector<HTMLElement>('.answer');
  // A turn that failed has no text.
  const place = answer?.firstChild == null ? turn : answer;
  // It is focusable only while it has the focus: otherwise, a click on its text would focus it, too.
  place.tabIndex = -1;
  place.addEventListener('blur', () => place.removeAttribute('tabindex'), { once: true });
  place.focus({ preventScroll: true });
  place.scrollIntoView({ block: 'start' });
  return turn.dataset.turn;
}
