/** The name of a fact about a step. features/connection/vscode/describeFacts.ts has its text. */
export type FactName =
  | 'to'
  | 'stack'
  | 'via'
  | 'named-by'
  | 'sign-in'
  | 'service'
  | 'ipv4'
  | 'ipv6'
  | 'proxy'
  | 'proxy-ipv4'
  | 'proxy-ipv6'
  | 'address'
  | 'through'
  | 'protocol'
  | 'certificate'
  | 'verdict'
  | 'subject'
  | 'issuer'
  | 'chain'
  | 'valid-from'
  | 'valid-to'
  | 'days-left'
  | 'alternative-names'
  | 'fingerprint'
  | 'checked-with'
  | 'status'
  | 'key'
  | 'models'
  | 'clock-ahead'
  | 'host'
  | 'file'
  | 'reason';

/** A value that is shown as a translated text, with the parts to insert into it. */
type TranslatedValue =
  | { readonly is: 'direct' | 'named-by-system' | 'named-by-environment' | 'no-user-name' | 'with-user-name' }
  | { readonly is: 'accepted' | 'trusted' | 'not-trusted' | 'unknown' | 'unreadable' | 'without-tls' }
  | { readonly is: 'undici-for-vscode' | 'no-key' | 'stored-key' }
  /** There is no value; `code` is the reason. */
  | { readonly is: 'none'; readonly code?: string }
  | { readonly is: 'unusable-proxy'; readonly host?: string }
  | { readonly is: 'port'; readonly address: string; readonly port: string }
  | { readonly is: 'seconds'; readonly count: string }
  /** The names of certificates, each followed by its issuer; '' for a certificate without a name. */
  | { readonly is: 'names'; readonly names: readonly string[] };

/** A string is an external value, such as a name or a code, which is shown unchanged. */
export type FactValue = string | TranslatedValue;
export type Facts = Readonly<Partial<Record<FactName, FactValue>>>;

/** The same value with each external text changed. */
export function changeTexts(value: FactValue, change: (text: string) => string): FactValue {
  if (typeof value === 'string') return change(value);
  const entries = Object.entries(value).map(([name, part]: [string, string | readonly string[]]) => [
    name,
    name === 'is' ? part : typeof part === 'string' ? change(part) : part.map(change),
  ]);
  return Object.fromEntries(entries);
}
