import type { Span } from '../../util/span.ts';
import { matcher, windowEnds } from './matches.ts';

/** A secret and where it stands in a text. The secret itself is not in here. */
export interface SecretSpan extends Span {
  /** Such as `payment-card`. */
  readonly rule: string;
}

/** Looks for one kind of secret. */
export interface SecretRule {
  /** The names its spans have. */
  readonly names: readonly string[];
  /**
   * The secrets in a text, in any order, and null wherever the search may pause: at least once every 128 KiB. Takes time
   * in proportion to the text, whatever the text.
   */
  find(text: string): Iterable<SecretSpan | null>;
}

/** None overlapping another: what two rules found in one place is one secret, called as the first of them calls it. */
export function* mergeSpans(sorted: Iterable<SecretSpan>): Generator<SecretSpan> {
  let last: SecretSpan | undefined;
  for (const span of sorted) {
    if (last !== undefined && span.start < last.end) {
      last = { rule: last.rule, start: last.start, end: Math.max(last.end, span.end) };
      continue;
    }
    if (last !== undefined) yield last;
    last = span;
  }
  if (last !== undefined) yield last;
}

/** A rule of one pattern. Its group `secret`, which ends it, is the secret, where it has one; `accept` has the last word. */
export function patternRule(
  rule: string,
  pattern: RegExp,
  accept: (secret: string) => boolean = () => true,
): SecretRule {
  return {
    names: [rule],
    *find(text) {
      const matches = matcher(text, pattern);
      for (const to of windowEnds(text)) {
        for (const match of matches(to)) {
          const secret = match.groups?.secret ?? match[0];
          if (!accept(secret)) continue;
          const start = match.index + match[0].length - secret.length;
          yield { rule, start, end: start + secret.length };
        }
        yield null;
      }
    },
  };
}
