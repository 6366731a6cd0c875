import type { Span } from '../../util/text/span.ts';
import { matcher, windowEnds } from './matches.ts';

/** The rule and position of a secret in a text. Does not contain the secret. */
export interface SecretSpan extends Span {
  /** The name of the rule, such as `payment-card`. */
  readonly rule: string;
}

/** Searches for one kind of secret. */
export interface SecretRule {
  /** The names of rules that its spans may have. */
  readonly names: readonly string[];
  /**
   * Whether each of its secrets is in one long word (longWords.ts), and the rule examines at most one character before the word.
   * Such a rule searches only the long words.
   */
  readonly isInWord?: boolean;
  /**
   * Yields the secrets in a text, in any order, and null where the search may pause: at least once every 128 KiB. Takes linear
   * time for any text.
   */
  find(text: string): Iterable<SecretSpan | null>;
}

/** Merges overlapping spans: findings of two rules in one place are one secret, with the first rule's name. */
export function* mergeSpans(sorted: Iterable<SecretSpan>): Generator<SecretSpan> {
  let last: SecretSpan | undefined;
  for (const span of sorted) {
    if (last !== undefined && span.start < last.end) {
      if (span.end > last.end) last = { rule: last.rule, start: last.start, end: span.end };
      continue;
    }
    if (last !== undefined) yield last;
    last = span;
  }
  if (last !== undefined) yield last;
}

/** Whether a match is a secret: `from` is the offset of the match in the text, `start` the offset of the secret. */
type Accepts = (secret: string, text: string, from: number, start: number) => boolean;

/**
 * A rule of one pattern. If it has a group `secret`, which must end it, that group is the secret; `accept` makes the
 * final decision.
 */
export function patternRule(rule: string, pattern: RegExp, accept: Accepts = () => true): SecretRule {
  return {
    names: [rule],
    *find(text) {
      const matches = matcher(text, pattern);
      for (const to of windowEnds(text)) {
        for (const match of matches(to)) {
          const secret = match.groups?.secret ?? match[0];
          const start = match.index + match[0].length - secret.length;
          if (!accept(secret, text, match.index, start)) continue;
          yield { rule, start, end: start + secret.length };
        }
        yield null;
      }
    },
  };
}

/** A rule of one pattern, each of whose matches is in one long word. */
export function wordRule(rule: string, pattern: RegExp, accept?: Accepts): SecretRule {
  return { ...patternRule(rule, pattern, accept), isInWord: true };
}

/** Runs the rule only if the text contains one of `parts`, because every match contains one. Most texts do not. */
export function where(parts: readonly string[] | RegExp, { find, ...rule }: SecretRule): SecretRule {
  const has = (text: string): boolean =>
    parts instanceof RegExp ? parts.test(text) : parts.some((part) => text.includes(part));
  return { ...rule, find: (text) => (has(text) ? find(text) : []) };
}
