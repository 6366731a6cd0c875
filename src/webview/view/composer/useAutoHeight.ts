import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { longText } from '../../longText.ts';

/**
 * Fits the height of a text area to its text and its width; the stylesheet limits it to ten lines. A long text exceeds ten lines
 * at any width, so it is not measured: that would lay out all of it. It has a scroll bar from the start, because adding one later
 * would require another layout.
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
    fit(element);
  }, [area, isLong, isLong || text]);
  useLayoutEffect(() => {
    const element = area.current;
    if (element === null || isLong) return;
    let width = element.clientWidth;
    const observer = new ResizeObserver(() => {
      if (element.clientWidth === width) return;
      width = element.clientWidth;
      fit(element);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [area, isLong]);
}

function fit(element: HTMLTextAreaElement): void {
  element.style.height = 'auto';
  element.style.height = `${element.scrollHeight}px`;
}
