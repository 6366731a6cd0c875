import { compliance, type FlagField, fieldOfHeader, isFlag } from './compliance.ts';

/** What a flag is called, in the reader's language; other headers are called by their values. */
export type FlagWords = Readonly<Record<FlagField, string>>;

/**
 * Headers in one short line, such as `maximum · eu-west · audit · hipaa, gdpr`. Two sets of headers never have the same
 * line: a flag that is false is in it, and so is a header that another version knew.
 */
export function headerLabel(
  headers: readonly { readonly name: string; readonly value: string }[],
  words: FlagWords,
): string {
  return headers.map(({ name, value }) => wordFor(name, value, words)).join(' · ');
}

function wordFor(name: string, value: string, words: FlagWords): string {
  const field = fieldOfHeader(name);
  if (field === undefined) return `${name.replace(/^Svc-/, '').toLowerCase()}: ${value}`;
  if (isFlag(field)) return value === 'true' ? words[field] : `${words[field]}: ${value}`;
  return compliance[field].combine === 'union' ? value.replaceAll(',', ', ') : value;
}
