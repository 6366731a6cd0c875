/**
 * Returns the regular expression for a pattern of our own tables, to be matched against a lower-case path with `/`. `*` matches
 * any characters within one name. A pattern applies in every folder; a pattern that ends with `/` matches everything below that
 * folder. The pattern must never come from external text.
 */
export function namePattern(pattern: string): RegExp {
  const text = pattern.split('*').map(escaped).join('[^/]*');
  return new RegExp(pattern.endsWith('/') ? `(?:^|/)${text}` : `(?:^|/)${text}$`);
}

/** Returns one regular expression for several patterns. */
export function anyNamePattern(patterns: readonly string[]): RegExp {
  return new RegExp(patterns.map((pattern) => `(?:${namePattern(pattern).source})`).join('|'));
}

/** Escapes a text for use in a regular expression, except `*`, which is not escaped. */
export function escaped(text: string): string {
  return text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
}
