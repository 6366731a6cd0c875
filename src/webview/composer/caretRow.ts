import { longText } from '../longText.ts';

/** Whether the caret of a text area is in its first and its last row, as the text is currently wrapped. */
export function caretRow(area: HTMLTextAreaElement): { readonly isFirst: boolean; readonly isLast: boolean } {
  const { value, selectionStart, selectionEnd, parentElement, clientWidth } = area;
  if (parentElement === null || selectionStart !== selectionEnd) return { isFirst: false, isLast: false };
  // A row has fewer characters than this: text further away is not in it and need not be laid out.
  const from = Math.max(0, selectionStart - longText);
  const to = Math.min(value.length, selectionStart + longText);
  // A text area does not expose its rows, so the text is laid out beside it, in the same font and width.
  const copy = document.createElement('div');
  copy.className = 'caret-copy';
  copy.style.width = `${clientWidth}px`;
  const [start, caret, end] = [mark(), mark(), mark()];
  // An empty last row has no box without a character.
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
