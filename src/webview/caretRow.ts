import { longText } from './longText.ts';

/** Whether the caret of a text area is in its first and its last row, as the text is wrapped now. */
export function caretRow(area: HTMLTextAreaElement): { readonly isFirst: boolean; readonly isLast: boolean } {
  const { value, selectionStart, selectionEnd, parentElement, clientWidth } = area;
  if (parentElement === null || selectionStart !== selectionEnd) return { isFirst: false, isLast: false };
  // A row has fewer characters than this: what is further away is neither in it nor laid out.
  const from = Math.max(0, selectionStart - longText);
  const to = Math.min(value.length, selectionStart + longText);
  // A text area does not say where its rows are, so the text is laid out beside it, in the same font and width.
  const copy = document.createElement('div');
  copy.className = 'caret-copy';
  copy.style.width = `${clientWidth}px`;
  const [start, caret, end] = [mark(), mark(), mark()];
  // Something must stand in the last row, or an empty one is none.
  end.textContent = '\u200b';
  copy.append(start, value.slice(from, selectionStart), caret, value.slice(selectionStart, to), end);
  parentElement.append(copy);
  const rows = {
    isFirst: from === 0 && caret.offsetTop <= start.offsetTop,
    isLast: to === value.length && caret.offsetTop >= end.offsetTop,
  };
  copy.remove();
  return rows;
}

function mark(): HTMLElement {
  return document.createElement('span');
}
