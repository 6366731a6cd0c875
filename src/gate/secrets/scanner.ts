import { LineCounter } from './lines.ts';
import { markOf, marksIn, outsideMarks, withoutMarks } from './marks/marks.ts';
import { windowLength } from './matches.ts';
import { isPauseDue, pause } from './pace.ts';
import { iban, namedSocialSecurityNumber, paymentCard, socialSecurityNumber } from './rules/numbers.ts';
import { codedKey, cutKey, privateKey } from './rules/privateKey.ts';
import { recommendedRule } from './rules/recommended.ts';
import { tokenRules } from './rules/tokens.ts';
import { mergeSpans, type SecretRule, type SecretSpan } from './span.ts';

export type { SecretSpan } from './span.ts';

const rules: readonly SecretRule[] = [
  recommendedRule,
  ...tokenRules,
  privateKey,
  codedKey,
  paymentCard,
  socialSecurityNumber,
  namedSocialSecurityNumber,
  iban,
];
const rulesOfFragments: readonly SecretRule[] = [...rules, cutKey];
/** What a mark may name. */
export const ruleNames: ReadonlySet<string> = new Set(rulesOfFragments.flatMap((rule) => rule.names));

export interface SecretFinding extends SecretSpan {
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in UTF-16 units. */
  readonly column: number;
}

export interface ScanOptions {
  /** No document is behind the text: it may be part of a key whose first and last line are elsewhere. */
  readonly isFragment?: boolean;
  /** What is known to be secret in the text; what is not in it is ignored. */
  readonly known?: readonly SecretSpan[];
}

/**
 * The secrets in a text and the known ones, in order, none overlapping another, and none with a mark in it: of a text
 * that is masked until nothing is found, each round leaves fewer characters that are no mark. Lets the event loop turn at
 * least every 50 ms, whatever the text. Throws nothing but the error of a cancelled request, where `signal` says so.
 */
export async function scanText(
  text: string,
  { isFragment = false, known = [] }: ScanOptions = {},
  signal?: AbortSignal,
): Promise<readonly SecretFinding[]> {
  if (text === '') return [];
  /** Spans by where they begin, so that no sorting takes long. */
  const places: SecretSpan[][] = [];
  const add = (span: SecretSpan): void => {
    const place = Math.floor(span.start / windowLength);
    places[place] ??= [];
    places[place].push(span);
  };
  const marks: SecretSpan[] = [];
  for (const mark of marksIn(text, ruleNames)) {
    if (mark !== null) marks.push(mark);
    if (isPauseDue()) await pause(signal);
  }
  const bare = withoutMarks(text, marks);
  for (const { find } of isFragment ? rulesOfFragments : rules) {
    for (const span of find(bare)) {
      if (span !== null) add(span);
      if (isPauseDue()) await pause(signal);
    }
  }
  for (const { rule, start, end } of known) {
    const inside = { rule, start: Math.max(start, 0), end: Math.min(end, text.length) };
    if (inside.start < inside.end) add(inside);
  }
  const found: SecretFinding[] = [];
  const lines = new LineCounter(text);
  for (const span of outsideMarks(text, mergeSpans(inOrder(places)), marks)) {
    while (!lines.advance(span.start, windowLength)) if (isPauseDue()) await pause(signal);
    found.push({ ...span, ...lines.position });
    if (isPauseDue()) await pause(signal);
  }
  return found;
}

function* inOrder(places: readonly (readonly SecretSpan[] | undefined)[]): Generator<SecretSpan> {
  for (const spans of places) {
    if (spans !== undefined) yield* [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
  }
}

/** The text with a mark in each secret's place. The number of lines stays. */
export function maskText(text: string, found: readonly SecretSpan[]): string {
  let masked = '';
  let at = 0;
  for (const { rule, start, end } of found) {
    masked += text.slice(at, start) + markOf(rule, text.slice(start, end)) + lineEndsIn(text, start, end);
    at = end;
  }
  return masked + text.slice(at);
}

/** What is left of the lines of a secret. No `\r` becomes half of a line end because what stood behind it is gone. */
function lineEndsIn(text: string, start: number, end: number): string {
  const isSplit = (at: number): boolean => text[at - 1] === '\r' && text[at] === '\n';
  // A line end that is only half in the secret is what stays of it outside.
  const inside = text.slice(isSplit(start) ? start + 1 : start, isSplit(end) ? end - 1 : end);
  const kept = inside.match(/\r\n|\r|\n/g) ?? [];
  const isOld = text[end] !== '\n' && kept.every((one) => one === '\r');
  return kept.map((one) => (one === '\r' && !isOld ? '\n' : one)).join('');
}
