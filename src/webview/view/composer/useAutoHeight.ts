import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { longText } from '../../longText.ts';

/**
 * A text area as high as its text; the stylesheet holds it to ten lines. A long text has more in any width: it is not
 * measured, which would lay out all of it, and its scroll bar is there from the start, or it would be laid out again for it.
 */
export function useAutoHeight(area: RefObject<HTMLTextAreaElement | null>, text: string): void {
  const isLong = text.length >= longText;
  useLayoutEffect(() => {
    const element = area.current;
    if (element === null) return;
    element.classList.toggle('long', isLong);
    if (isLong) {
      element.style.height = '';
      return;
    }
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [area, isLong, isLong || text]);
}
