import { compliance, type FlagField, fieldOfHeader, isFlag } from './compliance.ts';

/** The localized names of flags; other headers are shown by their values. */
export type FlagWords = Readonly<Record<FlagField, string>>;

/**
 * Shows headers in one short line, such as `maximum · eu-west · audit · hipaa, gdpr`. Different sets of headers always give
 * different lines, which include flags that are false, and headers of other versions.
 */
export function headerLabel(
  headers: readonly { readonly name: string; readonly value: string }[],
  words: FlagWords,
): string {
  return headers.map(({ name, value }) => wordFor(name, value, words)).join(' · ');
}

/** The first header, which is the security level if there is one, and the number of other headers: `maximum +4`. */
export function shortHeaderLabel(
  headers: readonly { readonly name: string; readonly value: string }[],
  words: FlagWords,
): string {
  const [first, ...others] = headers;
  if (first === undefined) return '';
  const word = wordFor(first.name, first.value, words);
  return others.length === 0 ? word : `${word} +${others.length}`;
}

function wordFor(name: string, value: string, words: FlagWords): string {
  const field = fieldOfHeader(name);
  if (field === undefined) return `${name.replace(/^Svc-/, '').toLowerCase()}: ${value}`;
  if (isFlag(field)) return value === 'true' ? words[field] : `${words[field]}: ${value}`;
  return compliance[field].combine === 'union' ? value.replaceAll(',', ', ') : value;
}
