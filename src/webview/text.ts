/** Replaces `{0}` in a text of the host with a value. */
export function fill(template: string, value: string | number): string {
  return template.replace('{0}', () => String(value));
}

/** Characters that reorder the text around them, up to the end of the paragraph. */
const reordering = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Returns a text with its bidirectional control characters as `[U+202E]`. */
export function withReordering(text: string): string {
  return text.replace(reordering, (each) => `[U+${each.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`);
}
