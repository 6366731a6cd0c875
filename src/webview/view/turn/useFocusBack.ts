import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePanel } from '../../panel.ts';

/** For a component that disappears when its button is pressed: moves the focus, otherwise lost, to the composer. */
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
