/** Whether the caret of a text area is in its first and its last row, as the text is wrapped now. */
export function caretRow(area: HTMLTextAreaElement): { readonly isFirst: boolean; readonly isLast: boolean } {
  const { value, selectionStart, selectionEnd, parentElement, clientWidth } = area;
  if (parentElement === null || selectionStart !== selectionEnd) return { isFirst: false, isLast: false };
  // A text area does not say where its rows are, so the text is laid out beside it, in the same font and width.
  const copy = document.createElement('div');
  copy.className = 'caret-copy';
  copy.style.width = `${clientWidth}px`;
  const [start, caret, end] = [mark(), mark(), mark()];
  // Something must stand in the last row, or an empty one is none.
  end.textContent = '\u200b';
  copy.append(start, value.slice(0, selectionStart), caret, value.slice(selectionStart), end);
  parentElement.append(copy);
  const rows = { isFirst: caret.offsetTop <= start.offsetTop, isLast: caret.offsetTop >= end.offsetTop };
  copy.remove();
  return rows;
}

function mark(): HTMLElement {
  return document.createElement('span');
}
