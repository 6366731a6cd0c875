/** Rules whose examples are not found, or not all, each with the reason. */
const reasons: readonly (readonly [reason: string, rules: string])[] = [
  [
    'letters and digits alone: nothing tells it from a checksum but the name beside it',
    `adafruit-api-key adobe-client-id airtable-api-key algolia-api-key alibaba-secret-key asana-client-id asana-client-secret
     beamer-api-token bitbucket-client-id bitbucket-client-secret bittrex-access-key bittrex-secret-key cisco-meraki-api-key
     cloudflare-api-key cloudflare-global-api-key codecov-access-token cohere-api-token coinbase-access-token
     confluent-access-token confluent-secret-key contentful-delivery-api-token datadog-access-token discord-api-token
     discord-client-id discord-client-secret droneci-access-token dropbox-api-token etsy-access-token facebook-secret
     fastly-api-token finicity-api-token finicity-client-secret finnhub-access-token flickr-access-token
     freshbooks-access-token gitter-access-token gocardless-api-token heroku-api-key hubspot-api-key intercom-api-key
     jfrog-api-key jfrog-identity-token kraken-access-token kucoin-access-token kucoin-secret-key launchdarkly-access-token
     linear-client-secret linkedin-client-id linkedin-client-secret lob-api-key lob-pub-api-key looker-client-id
     looker-client-secret mapbox-api-token mattermost-access-token messagebird-api-token messagebird-client-id
     netlify-access-token new-relic-user-api-id nytimes-access-token okta-access-token plaid-client-id plaid-secret-key
     privateai-api-token rapidapi-access-token sendbird-access-id sendbird-access-token sentry-access-token snyk-api-token
     squarespace-access-token sumologic-access-id sumologic-access-token travisci-access-token trello-access-token
     twitch-api-token twitter-access-secret twitter-access-token twitter-api-key twitter-api-secret twitter-bearer-token
     yandex-aws-access-token zendesk-secret-key`,
  ],
  [
    'the tokens of today are found; the older ones are letters and digits alone',
    'atlassian-api-token sourcegraph-access-token',
  ],
  ['a password that only its place tells', 'curl-auth-user curl-auth-header hashicorp-tf-password sidekiq-secret'],
  ['of an address the password is masked, not the user name before it', 'sidekiq-sensitive-url'],
  ['letters, digits and signs behind `sk_`, as names in code', 'freemius-secret-key'],
  ['values of a manifest, which only `kind: Secret` tells', 'kubernetes-secret-yaml'],
];

export const gaps: ReadonlyMap<string, string> = new Map(
  reasons.flatMap(([reason, rules]) => rules.split(/\s+/).map((rule) => [rule, reason] as const)),
);
