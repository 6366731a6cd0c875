/** Schemes an answer may link to; the host asks before it opens one. */
const schemes = new Set(['http:', 'https:', 'mailto:']);

/**
 * Where a link of an answer really goes, in full, or undefined where it must stay plain text. A relative address is
 * none: the page it would be relative to is ours.
 */
export function linkTarget(href: string): string | undefined {
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  return schemes.has(url.protocol) ? url.href : undefined;
}
