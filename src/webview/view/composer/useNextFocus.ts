import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { usePanel } from '../../panel.ts';
import { useFocusBack } from '../turn/useFocusBack.ts';

/**
 * Moves the focus when a button in the part disappears because it was pressed: to the next item of the list that is still open, or
 * to the composer if there is none. The button of the item that gets the focus must be harmless: a key that is held presses it.
 */
export function useNextFocus<T extends HTMLElement>(): RefObject<T | null> {
  const { state } = usePanel();
  const part = useFocusBack<T>();
  const { activeElement } = document;
  // The children are drawn after this, and the effect runs after them.
  const focused = part.current?.contains(activeElement) === true ? activeElement : null;
  const item = focused?.closest('li') ?? null;
  useLayoutEffect(() => {
    if (focused === null || focused.isConnected) return;
    const open = [...(part.current?.querySelectorAll('li[data-open=true]') ?? [])];
    const next = open.find((other) => other === item || follows(other, item)) ?? open[0];
    if (next === undefined) state.focusRequests.value += 1;
    else next.querySelector('button')?.focus();
  });
  return part;
}

function follows(element: Element, other: Element | null): boolean {
  return other !== null && (other.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}
