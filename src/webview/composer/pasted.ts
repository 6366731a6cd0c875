/** From this length on, pasted text is kept outside of the text area: layout of a megabyte in it takes a second. */
export const pastedLength = 100_000;

/** The message to send: the typed text, then each pasted text. */
export function messageOf(typed: string, pasted: readonly string[]): string {
  const texts = typed.trim() === '' ? pasted : [typed, ...pasted];
  return pasted.length === 0 ? typed : texts.join('\n\n');
}

/** The pasted texts in the result of getState(), which may be of any earlier version. */
export function pastedIn(saved: unknown): readonly string[] {
  const { pasted } = Object(saved) as { readonly pasted?: unknown };
  return Array.isArray(pasted) ? pasted.filter((text) => typeof text === 'string') : [];
}
