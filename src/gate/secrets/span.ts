/** A secret and where it stands in a text. The secret itself is not in here. */
export interface SecretSpan {
  /** Such as `payment-card`. */
  readonly rule: string;
  /** UTF-16 offsets; `end` is behind the last one. */
  readonly start: number;
  readonly end: number;
}

/** Looks for one kind of secret. Takes time in proportion to the text, whatever the text. */
export type SecretRule = (text: string) => Iterable<SecretSpan>;

/** A rule of one pattern. Its group `secret`, which ends it, is the secret, where it has one; `accept` has the last word. */
export function patternRule(
  rule: string,
  pattern: RegExp,
  accept: (secret: string) => boolean = () => true,
): SecretRule {
  return function* (text) {
    for (const match of text.matchAll(pattern)) {
      const secret = match.groups?.secret ?? match[0];
      if (!accept(secret)) continue;
      const start = match.index + match[0].length - secret.length;
      yield { rule, start, end: start + secret.length };
    }
  };
}
