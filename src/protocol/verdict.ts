/** How what a service reports about a request compares with it. */
export const verdicts = ['confirmed', 'not-confirmed', 'contradicted'] as const;
export type Verdict = (typeof verdicts)[number];
