import { iban, namedSocialSecurityNumber, paymentCard, socialSecurityNumber } from './numbers.ts';
import { privateKey } from './privateKey.ts';
import { recommended } from './recommended.ts';
import type { SecretRule, SecretSpan } from './span.ts';
import { tokenRules } from './tokens.ts';

export type { SecretSpan } from './span.ts';

const rules: readonly SecretRule[] = [
  ...tokenRules,
  privateKey,
  paymentCard,
  socialSecurityNumber,
  namedSocialSecurityNumber,
  iban,
];

export interface SecretFinding extends SecretSpan {
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in UTF-16 units. */
  readonly column: number;
}

/** The secrets in a text, in order, none overlapping another. Never throws on any text. */
export async function scanText(text: string): Promise<readonly SecretFinding[]> {
  const found = [...(await recommended(text)), ...rules.flatMap((rule) => [...rule(text)])];
  const apart = merged(found.sort((a, b) => a.start - b.start || b.end - a.end));
  let line = 1;
  let lineStart = 0;
  const lineEnds = text.matchAll(/\r\n|\r|\n/g);
  // Each line end is looked at once, however many secrets there are.
  let next = lineEnds.next();
  return apart.map((span) => {
    while (!next.done && next.value.index < span.start) {
      line += 1;
      lineStart = next.value.index + next.value[0].length;
      next = lineEnds.next();
    }
    const { rule, start, end } = span;
    return { rule, start, end, line, column: start - lineStart + 1 };
  });
}

/** The text with a mark in each secret's place. The number of lines, and how they end, stays. */
export function maskText(text: string, found: readonly SecretSpan[]): string {
  let masked = '';
  let at = 0;
  for (const { rule, start, end } of found) {
    const lineEnds = text.slice(start, end).match(/\r\n|\r|\n/g) ?? [];
    masked += `${text.slice(at, start)}[masked: ${rule}]${lineEnds.join('')}`;
    at = end;
  }
  return masked + text.slice(at);
}

/** What two rules found in one place is one secret, called as the first of them calls it. */
function merged(sorted: readonly SecretSpan[]): readonly SecretSpan[] {
  const apart: SecretSpan[] = [];
  for (const span of sorted) {
    const last = apart.at(-1);
    if (last === undefined || span.start >= last.end) apart.push(span);
    else if (span.end > last.end) apart[apart.length - 1] = { ...last, end: span.end };
  }
  return apart;
}
