/**
 * Replaces a part of the text as typing does, with an `input` event. Where a script sets the value, the browser can no longer undo
 * what was typed before, and Redo repeats it in the wrong place.
 */
export function typeIn(area: HTMLTextAreaElement, start: number, end: number, text: string): void {
  if (start === end && text === '') return;
  area.focus();
  area.setSelectionRange(start, end);
  document.execCommand(text === '' ? 'delete' : 'insertText', false, text);
}
