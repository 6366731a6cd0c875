/** What is known of a step. features/connection/vscode/describeFacts.ts has the words. */
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

/** A value that is words, with what belongs into them. */
type WordedValue =
  | { readonly is: 'direct' | 'named-by-system' | 'named-by-environment' | 'no-user-name' | 'with-user-name' }
  | { readonly is: 'accepted' | 'trusted' | 'not-trusted' | 'unknown' | 'unreadable' | 'without-tls' }
  | { readonly is: 'undici-for-vscode' | 'no-key' | 'stored-key' }
  /** None, with the code of why. */
  | { readonly is: 'none'; readonly code?: string }
  | { readonly is: 'unusable-proxy'; readonly host?: string }
  | { readonly is: 'port'; readonly address: string; readonly port: string }
  | { readonly is: 'seconds'; readonly count: string }
  /** The names in a certificate, each below the next; an empty name has none. */
  | { readonly is: 'names'; readonly names: readonly string[] };

/** Text is a value of others, such as a name or a code, which is shown as it is. */
export type FactValue = string | WordedValue;
export type Facts = Readonly<Partial<Record<FactName, FactValue>>>;

/** The same value with each text of others changed. */
export function changeTexts(value: FactValue, change: (text: string) => string): FactValue {
  if (typeof value === 'string') return change(value);
  const entries = Object.entries(value).map(([name, part]: [string, string | readonly string[]]) => [
    name,
    name === 'is' ? part : typeof part === 'string' ? change(part) : part.map(change),
  ]);
  return Object.fromEntries(entries);
}
