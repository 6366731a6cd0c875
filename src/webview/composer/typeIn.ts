import { longText } from '../longText.ts';

/**
 * Replaces a part of the text as typing does, with an `input` event. Where a script sets the value, the browser can no longer undo
 * what was typed before, and Redo repeats it in the wrong place.
 */
export function typeIn(area: HTMLTextAreaElement, start: number, end: number, text: string): void {
  if (start === end && text === '') return;
  area.focus();
  area.setSelectionRange(start, end);
  document.execCommand(text === '' ? 'delete' : 'insertText', false, text);
  // Undo takes back separately what is typed next.
  area.setSelectionRange(area.selectionEnd, area.selectionEnd);
}

/** Replaces the whole text: as typing does if the area has the focus, which is not taken from another element. */
export function replaceText(area: HTMLTextAreaElement, text: string): void {
  const { value } = area;
  // Inserting a long text lays out each of its lines.
  const isShort = value.length + text.length < longText;
  if (isShort && document.activeElement === area) typeIn(area, 0, value.length, text);
  if (area.value !== text) area.value = text;
}
