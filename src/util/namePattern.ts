/**
 * Returns the regular expression for a pattern of our own tables, to be matched against a lower-case path with `/`. `*` matches
 * any characters within one name. A pattern applies in every folder; a pattern that ends with `/` matches everything below that
 * folder. The pattern must never come from external text.
 */
export function namePattern(pattern: string): RegExp {
  return anyNamePattern([pattern]);
}

/** Returns one regular expression for several patterns. Only the start of a name is compared with them, which is fast. */
export function anyNamePattern(patterns: readonly string[]): RegExp {
  const sources = patterns.map((pattern) => {
    const text = pattern.split('*').map(escaped).join('[^/]*');
    return pattern.endsWith('/') ? text : `${text}$`;
  });
  return new RegExp(`(?:^|/)(?:${sources.join('|')})`);
}

/** Escapes a text for use in a regular expression, except `*`, which is not escaped. */
export function escaped(text: string): string {
  return text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
}
