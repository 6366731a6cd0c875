import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePanel } from '../../panel.ts';

/** Moves the focus to the composer when a component disappears because its button was pressed: it would otherwise be lost. */
export function useFocusBack<T extends HTMLElement>(): RefObject<T | null> {
  const { state } = usePanel();
  const part = useRef<T>(null);
  useLayoutEffect(
    () => () => {
      if (part.current?.contains(document.activeElement)) state.focusRequests.value += 1;
    },
    [state],
  );
  return part;
}
