/** A fence that nothing in the text can end: longer than any run of backticks in it, and three at least. */
export function fenceFor(text: string): string {
  // Not by spreading: a text may have more runs than a call takes arguments.
  let longest = 2;
  for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length);
  return '`'.repeat(longest + 1);
}
