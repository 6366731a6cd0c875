import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** A text area as high as its text; the stylesheet holds it to ten lines. */
export function useAutoHeight(area: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    const element = area.current;
    if (element === null) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [area, text]);
}
