import { generateKeyPairSync } from 'node:crypto';
import type { Dice } from '../tools/dice.ts';

const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const digits = '0123456789';
const hex = '0123456789abcdef';
const word = `${upper}${upper.toLowerCase()}${digits}`;
const base64 = `${word}+/`;
const base64url = `${word}-_`;

const coded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function luhn(start: string, length: number, dice: Dice): string {
  const body = start + dice.text(length - start.length - 1, digits);
  for (let check = 0; ; check += 1) {
    const sum = [...`${body}${check}`].reverse().reduce((total, digit, index) => {
      const doubled = Number(digit) * (1 + (index % 2));
      return total + (doubled > 9 ? doubled - 9 : doubled);
    }, 0);
    if (sum % 10 === 0) return `${body}${check}`;
  }
}

function iban(dice: Dice): string {
  const body = dice.text(18, digits);
  const rest = [...`${body}131400`].reduce((sum, digit) => (sum * 10 + Number(digit)) % 97, 0);
  return `DE${String(98 - rest).padStart(2, '0')}${body}`;
}

const edgeOf = (which: string, kind: string): string => `-----${which} ${kind}PRIVATE KEY-----`;

function key(dice: Dice, lineEnd: string): string {
  const kind = dice.pick(['RSA ', 'EC ', '', 'OPENSSH ']);
  const lines = [...Array(2 + dice.below(6))].map(() => dice.text(64, base64));
  return [edgeOf('BEGIN', kind), ...lines, `${dice.text(dice.below(60), base64)}==`, edgeOf('END', kind)].join(lineEnd);
}

const real = [1, 2, 3].map(() =>
  String(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'pem', type: 'pkcs8' })),
);

/** A generator for each kind of secret: the name of its rule, and a text that contains one. */
export const examples: readonly (readonly [string, (dice: Dice) => string])[] = [
  ['svc-key', (dice) => `svc_ent_${dice.text(4 + dice.below(40), base64url)}`],
  [
    'jwt',
    (dice) =>
      `${coded({ alg: 'HS256', n: dice.below(99) })}.${coded({ sub: dice.below(9999) })}.${dice.text(43, base64url)}`,
  ],
  ['aws-access-key', (dice) => `AKIA${dice.text(16, upper + digits)}`],
  ['aws-secret-access-key', (dice) => `aws_secret_access_key = "${dice.text(40, base64)}"`],
  ['google-api-key', (dice) => `AIza${dice.text(35, base64url)}`],
  ['api-key', (dice) => `sk-${dice.pick(['', 'proj-', 'ant-'])}${dice.text(20, word)}1${dice.text(20, word)}`],
  ['github-token', (dice) => `gh${dice.pick(['p', 'o', 's'])}_${dice.text(36, word)}`],
  ['github-token', (dice) => `github_pat_${dice.text(82, word)}`],
  [
    'github-token',
    (dice) =>
      `ghs_${dice.text(6, digits)}_${dice.text(20, base64url)}.${dice.text(40, base64url)}.${dice.text(20, base64url)}`,
  ],
  ['github-token', (dice) => `https://${dice.text(24, word)}:x-oauth-basic@github.com/a`],
  ['gitlab-personal-access-token', (dice) => `glpat-${dice.text(20, base64url)}`],
  ['figma-personal-access-token', (dice) => `figd_${dice.text(40, base64url)}`],
  ['linear-api-token', (dice) => `lin_api_${dice.text(40, word)}`],
  ['sendgrid-key', (dice) => `SG.${dice.text(22, base64url)}.${dice.text(43, base64url)}`],
  ['npm-access-token', (dice) => `npm_${dice.text(36, word)}`],
  ['npm-auth-token', (dice) => `//npm.example.com/:_authToken=${dice.text(8 + dice.below(30), word)}`],
  ['azure-account-key', (dice) => `AccountKey=${dice.text(86, base64)}==;`],
  ['url-password', (dice) => `postgres://me:${dice.text(3 + dice.below(20), `${word}!@$*.`)}z@db.host/x`],
  ['slack-token', (dice) => `xoxb-${dice.text(12, digits)}-${dice.text(24, word)}`],
  [
    'incoming-webhook',
    (dice) => `https://hooks.slack.com/services/T${dice.text(8, word)}/B${dice.text(8, word)}/${dice.text(24, word)}`,
  ],
  ['stripe-secret-key-live', (dice) => `sk_live_${dice.text(24 + dice.below(40), word)}`],
  ['shopify-key', (dice) => `shpat_${dice.text(32, word)}`],
  ['grafana-service-account-token', (dice) => `glsa_${dice.text(32, word)}_${dice.text(8, hex)}`],
  ['groq-api-key', (dice) => `gsk_${dice.text(52, word)}`],
  ['notion-integration-token', (dice) => `ntn_${dice.text(11, digits)}${dice.text(35, word)}`],
  ['hashicorp-vault-service-token', (dice) => `hvs.${dice.text(95, base64url)}`],
  ['databricks-personal-access-token', (dice) => `dapi${dice.text(32, hex)}`],
  ['docker-personal-access-token', (dice) => `dckr_pat_${dice.text(27, base64url)}`],
  ['private-key', (dice) => key(dice, '\n')],
  ['private-key', (dice) => key(dice, '\\n')],
  ['private-key', (dice) => key(dice, '\r\n// ')],
  ['private-key', (dice) => dice.pick(real)],
  ['payment-card', (dice) => luhn(dice.pick(['4', '51', '2221']), 16, dice)],
  ['payment-card', (dice) => luhn('4', 16, dice).replace(/(\d{4})(?=\d)/g, '$1 ')],
  ['payment-card', (dice) => luhn('37', 15, dice)],
  ['us-ssn', (dice) => `${1 + dice.below(6)}23${dice.pick(['-45-', ' 45 '])}${1000 + dice.below(8999)}`],
  [
    'us-ssn',
    (dice) =>
      `${dice.pick(['ssn: ', 'social security number: ', 'SSN='])}123${dice.pick(['', ' '])}45${1000 + dice.below(8999)}`,
  ],
  ['iban', (dice) => iban(dice)],
  ['iban', (dice) => iban(dice).replace(/(.{4})(?=.)/g, '$1 ')],
];

/** Text that rules check before and behind a secret. */
export const contexts: readonly string[] = [
  ...[
    '_authToken=',
    'AccountKey=',
    'SharedAccessKey: ',
    'https://u:',
    '://',
    '@host',
    ':x-oauth-basic@',
    'ssn: ',
    'ssn\n',
  ],
  ...['aws_secret_access_key=', 'AWS_SECRET_ACCESS_KEY": "', 'eyJ', 'svc_ent_', 'ghp_', 'sk-', 'xoxb-', 'SG.', 'hvs.'],
  ...[
    edgeOf('BEGIN', ''),
    edgeOf('END', 'RSA '),
    edgeOf('BEGIN', 'RSA '),
    'Proc-Type: 4,ENCRYPTED\n',
    '-----',
    '-----BEGIN ',
  ],
  ...[
    '\n',
    '\r\n',
    '\r',
    '\\n',
    ' ',
    '\t',
    '"',
    "'",
    '`',
    ',',
    ';',
    '.',
    '-',
    '+',
    '/',
    '=',
    '<',
    '>',
    '[',
    ']',
    '@',
    ':',
  ],
  ...[
    '// ',
    '# ',
    '12: ',
    '  7 | ',
    'a/b.pem:3:',
    '\0',
    '\ud800',
    'ä',
    'word',
    '4',
    '4111 ',
    '123',
    '0000',
    '[masked: ',
    '…',
  ],
];

/** Lines like those of a key, and similar ones. */
export const lines: readonly ((dice: Dice) => string)[] = [
  (dice) => `${dice.text(64, base64)}\n`,
  (dice) => `${dice.text(70, base64)}\n${dice.text(70, base64)}\n`,
  (dice) => `+${dice.text(64, base64)}\n+${dice.text(64, base64)}\n`,
  (dice) => `${dice.text(dice.below(64), base64)}=\n`,
  (dice) => `${dice.text(64, hex)}\n`,
  (dice) => dice.text(dice.below(40), digits),
  (dice) => dice.text(dice.below(40), word),
];
