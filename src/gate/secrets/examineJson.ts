import { examineText, type FoundSecret } from './examineText.ts';
import type { SecretScanner } from './secretScanner.ts';

/**
 * Looks for secrets in all strings and numbers of a JSON value, including field names, and replaces them with marks. They are
 * scanned as one text, each on one or more lines: in serialized JSON, an escaped line break would hide a private key, and a
 * mark could break the syntax. Returns the same value if nothing is found.
 */
export async function examineJson<T extends Readonly<Record<string, unknown>> | readonly unknown[]>(
  value: T,
  where: string,
  scanner: SecretScanner,
  signal?: AbortSignal,
): Promise<{ readonly masked: T; readonly found: readonly FoundSecret[] }> {
  const leaves: string[] = [];
  mapLeaves(value, (leaf) => {
    leaves.push(leaf);
    return leaf;
  });
  const { masked, found } = await examineText(leaves.map(withOneLineBreak).join('\n'), { where }, scanner, signal);
  if (found.length === 0) return { masked: value, found };
  // Masking keeps the number of lines, so each leaf can be mapped back.
  const lines = masked.split('\n');
  let at = 0;
  const put = (leaf: string): string => {
    const count = withOneLineBreak(leaf).split('\n').length;
    at += count;
    return lines.slice(at - count, at).join('\n');
  };
  return { masked: mapLeaves(value, put) as T, found };
}

/** Normalizes line breaks so that lines can be counted: a leaf may end with half of one. */
function withOneLineBreak(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/** Applies `change` to each name, string and number in a value, in a fixed order. */
function mapLeaves(value: unknown, change: (leaf: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value === 'number') {
    const text = change(String(value));
    return text === String(value) ? value : text;
  }
  if (Array.isArray(value)) return value.map((inner) => mapLeaves(inner, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [change(name), mapLeaves(inner, change)] as const),
  );
}
