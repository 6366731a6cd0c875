/** Returns a fence that the text cannot end: longer than any run of backticks in it, and at least three. */
export function fenceFor(text: string): string {
  // The runs are not spread into a call of Math.max(), because a text may have more runs than a call accepts arguments.
  let longest = 2;
  for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length);
  return '`'.repeat(longest + 1);
}
