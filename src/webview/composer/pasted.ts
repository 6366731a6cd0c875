/**
 * From this length in characters, pasted text is kept outside the text area, in which the layout of a megabyte takes a second.
 */
export const pastedLength = 100_000;

/** Returns the message to send: the typed text, then each pasted text. */
export function messageOf(typed: string, pasted: readonly string[]): string {
  const texts = typed.trim() === '' ? pasted : [typed, ...pasted];
  return pasted.length === 0 ? typed : texts.join('\n\n');
}

/** Returns the pasted texts from the result of getState(), which any earlier version may have written. */
export function pastedIn(saved: unknown): readonly string[] {
  const { pasted } = Object(saved) as { readonly pasted?: unknown };
  return Array.isArray(pasted) ? pasted.filter((text) => typeof text === 'string') : [];
}
