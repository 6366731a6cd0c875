/** Rules whose examples are not all found, each with the reason. */
const reasons: readonly (readonly [reason: string, rules: string])[] = [
  ['the number of an application: it opens nothing without its secret', 'asana-client-id discord-client-id'],
  [
    'no beginning of its own, and some values have too few digits to tell them from words',
    'dropbox-api-token plaid-client-id',
  ],
  ['eight characters, a colon and eight more, which only the name of a host tells', 'sidekiq-secret'],
  ['of an address the password is masked, not the user name before it', 'sidekiq-sensitive-url'],
];

export const gaps: ReadonlyMap<string, string> = new Map(
  reasons.flatMap(([reason, rules]) => rules.split(' ').map((rule) => [rule, reason] as const)),
);
