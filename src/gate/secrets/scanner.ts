import { LineCounter } from './lines.ts';
import { longWordsOf } from './longWords.ts';
import { markOf, marksIn, outsideMarks, withoutMarks } from './marks/marks.ts';
import { windowLength } from './matches.ts';
import { inSlices, isPauseDue, pause } from './pace.ts';
import { plainTextOf } from './plainText.ts';
import { iban, namedSocialSecurityNumber, paymentCard, socialSecurityNumber } from './rules/numbers.ts';
import { codedKey, cutKey, privateKey } from './rules/privateKey.ts';
import { recommendedRules } from './rules/recommended.ts';
import { tokenRules } from './rules/tokens.ts';
import type { FoundSpan, ScanOptions } from './secretScanner.ts';
import { mergeSpans, type SecretRule, type SecretSpan } from './span.ts';

export type { SecretSpan } from './span.ts';

const rules: readonly SecretRule[] = [
  ...recommendedRules,
  ...tokenRules,
  privateKey,
  codedKey,
  paymentCard,
  socialSecurityNumber,
  namedSocialSecurityNumber,
  iban,
];
const rulesOfFragments: readonly SecretRule[] = [...rules, cutKey];
/** The names that a mark may contain. */
export const ruleNames: ReadonlySet<string> = new Set(rulesOfFragments.flatMap((rule) => rule.names));

/** The number of spans between two readings of the clock: reading it takes as long as finding a span. */
const spansAtOnce = 32;

interface SecretFinding extends FoundSpan {
  /** The column in UTF-16 units, counted from 1. */
  readonly column: number;
}

/**
 * Returns the found and known secrets of a text, in order, without overlaps, and without marks: when a text is masked
 * until nothing is found, each round leaves fewer unmarked characters. Lets the event loop turn at least every 50 ms,
 * for any text. Throws only the error of a cancelled request, if `signal` is aborted.
 */
export async function scanText(
  text: string,
  { isFragment = false, known = [] }: ScanOptions = {},
  signal?: AbortSignal,
): Promise<readonly SecretFinding[]> {
  if (text === '') return [];
  /** The spans by their start, which avoids a long sort. */
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
  const bare = await inSlices(withoutMarks(text, marks), signal);
  const searched = isFragment ? rulesOfFragments : rules;
  await search(bare, searched, add, signal);
  const plain = await inSlices(plainTextOf(bare), signal);
  if (plain !== null) await search(plain.text, searched, (span) => add(plain.place(span)), signal);
  for (const { rule, start, end } of known) {
    const inside = { rule, start: Math.max(start, 0), end: Math.min(end, text.length) };
    if (inside.start < inside.end) add(inside);
  }
  const found: SecretFinding[] = [];
  const lines = new LineCounter(text);
  for (const span of outsideMarks(text, mergeSpans(inOrder(places)), marks)) {
    while (!lines.advance(span.start, windowLength)) if (isPauseDue()) await pause(signal);
    const { line, column } = lines.position;
    found.push({ rule: span.rule, start: span.start, end: span.end, line, column });
    if (found.length % spansAtOnce === 0 && isPauseDue()) await pause(signal);
  }
  return found;
}

/** Runs the rules on a text. */
async function search(
  text: string,
  searched: readonly SecretRule[],
  add: (span: SecretSpan) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const words = await inSlices(longWordsOf(text), signal);
  const wordsText = words.text;
  for (const { find, isInWord = false } of searched) {
    let count = 0;
    for (const span of find(isInWord ? wordsText : text)) {
      if (span !== null) {
        add(isInWord ? words.place(span) : span);
        count += 1;
        if (count % spansAtOnce !== 0) continue;
      }
      if (isPauseDue()) await pause(signal);
    }
  }
}

function* inOrder(places: readonly (readonly SecretSpan[] | undefined)[]): Generator<SecretSpan> {
  for (const spans of places) {
    if (spans === undefined) continue;
    for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) yield span;
  }
}

/**
 * Replaces each secret with a mark. The number of lines does not change. Lets the event loop turn like scanText(), and throws the
 * same error.
 */
export async function maskText(text: string, found: readonly SecretSpan[], signal?: AbortSignal): Promise<string> {
  const parts: string[] = [];
  let newest: string[] = [];
  let at = 0;
  for (const [index, { rule, start, end }] of found.entries()) {
    if (index % spansAtOnce === 0) {
      // V8 makes one string of many concatenated ones when it is first read, which would take one long step.
      parts.push(newest.join(''));
      newest = [];
      if (isPauseDue()) await pause(signal);
    }
    newest.push(text.slice(at, start), markOf(rule, text.slice(start, end)), lineBreaksIn(text, start, end));
    at = end;
  }
  return [...parts, ...newest, text.slice(at)].join('');
}

/** The line breaks of a removed secret. A `\r` must not become half of a line break because the text after it was removed. */
function lineBreaksIn(text: string, start: number, end: number): string {
  const isSplit = (at: number): boolean => text[at - 1] === '\r' && text[at] === '\n';
  // A line break that the edge of the secret splits stays outside.
  const inside = text.slice(isSplit(start) ? start + 1 : start, isSplit(end) ? end - 1 : end);
  const kept = inside.match(/\r\n|\r|\n/g) ?? [];
  const isOld = text[end] !== '\n' && kept.every((one) => one === '\r');
  return kept.map((one) => (one === '\r' && !isOld ? '\n' : one)).join('');
}
