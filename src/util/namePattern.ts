/**
 * The expression for a pattern of our own tables, which matches a lower-case path with `/`. `*` stands for any characters of one
 * name. A pattern applies in every folder; a pattern that ends with `/` stands for everything below that folder. It must never
 * come from external text.
 */
export function namePattern(pattern: string): RegExp {
  const text = pattern.split('*').map(escaped).join('[^/]*');
  return new RegExp(pattern.endsWith('/') ? `(?:^|/)${text}` : `(?:^|/)${text}$`);
}

/** The expression for any of several patterns. */
export function anyNamePattern(patterns: readonly string[]): RegExp {
  return new RegExp(patterns.map((pattern) => `(?:${namePattern(pattern).source})`).join('|'));
}

export function escaped(text: string): string {
  return text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
}
