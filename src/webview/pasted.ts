/** From this length on a text that is pasted stands beside the text area: laid out in it, a megabyte takes a second. */
export const pastedLength = 100_000;

/** What is sent: what was typed, then each text that was pasted beside it. */
export function messageOf(typed: string, pasted: readonly string[]): string {
  const texts = typed.trim() === '' ? pasted : [typed, ...pasted];
  return pasted.length === 0 ? typed : texts.join('\n\n');
}

/** The pasted texts in what getState() returned, which may be anything an older version left. */
export function pastedIn(saved: unknown): readonly string[] {
  const { pasted } = Object(saved) as { readonly pasted?: unknown };
  return Array.isArray(pasted) ? pasted.filter((text) => typeof text === 'string') : [];
}
