import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePanel } from '../../panel.ts';

/** Of a part that goes away when its button is pressed: the focus, which would be nowhere then, goes to the composer. */
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
