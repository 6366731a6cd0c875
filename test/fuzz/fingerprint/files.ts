import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Dice } from '../../tools/dice.ts';

const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const lower = 'abcdefghijklmnopqrstuvwxyz';
const digits = '0123456789';
const word = upper + lower + digits;
const hex = '0123456789abcdef';

/** A generator for each kind of value, with a name that it has. */
export const valueKinds: Readonly<Record<string, readonly [name: string, make: (dice: Dice) => string]>> = {
  'AWS key': ['AWS_ACCESS_KEY_ID', (dice) => ['AK', 'IA'].join('') + dice.text(16, upper + digits)],
  'AWS secret': ['AWS_SECRET_ACCESS_KEY', (dice) => dice.text(40, `${word}+/`)],
  'GitHub token': ['GITHUB_TOKEN', (dice) => `gh${'p_'}${dice.text(36, word)}`],
  'Stripe key': ['STRIPE_SECRET_KEY', (dice) => `sk_${'live_'}${dice.text(24, word)}`],
  'hexadecimal, 32': ['SESSION_SECRET', (dice) => dice.text(32, hex)],
  UUID: ['CLIENT_ID', (dice) => [8, 4, 4, 4, 12].map((length) => dice.text(length, hex)).join('-')],
  base64: ['ENCRYPTION_KEY', (dice) => `${dice.text(43, `${word}+/`)}=`],
  JWT: [
    'SUPABASE_SERVICE_ROLE_KEY',
    (dice) => `eyJhbGciOiJIUzI1NiJ9.${dice.text(40, word)}.${dice.text(43, `${word}-_`)}`,
  ],
  'password, 12': [
    'DB_PASSWORD',
    (dice) => `${dice.text(5, word)}${dice.pick(['!', '$', '#', '%'])}${dice.text(4, word)}${dice.text(2, digits)}`,
  ],
  'password in an address': [
    'DATABASE_URL',
    (dice) => `postgres://app:${dice.text(10, word)}${dice.text(2, digits)}@db.internal:5432/shop`,
  ],
  'password in a connection string': [
    'SQL_CONNECTION',
    (dice) =>
      `Server=tcp:db.internal,1433;User ID=app;Password=${dice.text(10, word)}${dice.text(2, digits)};Encrypt=True`,
  ],
  'PIN, 8 digits': ['ADMIN_PIN', (dice) => dice.text(8, digits)],
};

/** The secret in a value that valueKinds has made: an address and a connection string have other text, too. */
export function secretIn(value: string): string {
  return /:\/\/\w+:([^:@/]+)@/.exec(value)?.[1] ?? /Password=([^;]+)/.exec(value)?.[1] ?? value;
}

const plain: readonly (readonly [string, readonly string[]])[] = [
  ['NODE_ENV', ['production', 'staging', 'development']],
  ['PORT', ['3000', '8080', '8443']],
  ['LOG_LEVEL', ['info', 'debug', 'warn']],
  ['AWS_REGION', ['eu-central-1', 'us-east-1']],
  ['FEATURE_NEW_CHECKOUT', ['true', 'false']],
  ['SMTP_HOST', ['smtp.mail.internal.example.com', 'mailhog']],
  ['REDIS_HOST', ['redis.internal', 'localhost']],
  ['CACHE_TTL_SECONDS', ['300', '86400']],
];
const comments = [
  '# the payment service',
  '# do not commit',
  '',
  '# rotated in the spring by the platform team',
  '# database',
];

/** A file of environment variables. */
export function environmentFile(dice: Dice): string {
  const lines: string[] = [];
  const tag = dice.text(3, upper);
  const kinds = Object.values(valueKinds);
  for (let count = 12 + dice.below(24); count > 0; count -= 1) {
    const [name, make] = dice.pick(kinds);
    const [plainName, values] = dice.pick(plain);
    const prefix = dice.pick(['', `${tag}_`, 'APP_']);
    lines.push(
      dice.pick([
        `${prefix}${name}=${make(dice)}`,
        `${prefix}${name}="${make(dice)}"`,
        `${prefix}${plainName}=${dice.pick(values)}`,
        `${tag}_${dice.text(6, upper)}_URL=https://${dice.text(8, lower)}.${tag.toLowerCase()}.example.com/api`,
        dice.pick(comments),
      ]),
    );
  }
  return `${lines.join('\n')}\n`;
}

/** Files whose lines begin like the prefixes of listings. */
export const tables: Readonly<Record<string, (dice: Dice) => string>> = {
  'CSV of numbers': (dice) => tableOf(12, (row) => `${row + 1},${numbers(dice, 5).join(',')}`),
  'CSV with names': (dice) =>
    `id,name,card\n${tableOf(12, (row) => `${row},${name(dice)},${numbers(dice, 3).join(',')}`)}`,
  'numbers between tabs': (dice) => tableOf(12, () => numbers(dice, 6).join('\t')),
  'numbers between spaces': (dice) => tableOf(12, () => numbers(dice, 4).join('  ')),
  psql: (dice) =>
    ` id | owner | balance\n----+-------+--------\n${tableOf(12, (row) => ` ${row} | ${name(dice)} | ${numbers(dice, 2).join(' | ')}`)}`,
  Markdown: (dice) =>
    `| a | b | c |\n|---|---|---|\n${tableOf(12, () => `| ${name(dice)} | ${name(dice)} | ${numbers(dice, 2).join(' | ')} |`)}`,
  'dates and numbers': (dice) => tableOf(12, (row) => `2024-05-${10 + row} ${numbers(dice, 3).join(' ')}`),
};

function tableOf(rows: number, row: (index: number) => string): string {
  return Array.from({ length: rows }, (_, index) => `${row(index)}\n`).join('');
}

function numbers(dice: Dice, count: number): readonly string[] {
  return Array.from({ length: count }, () => dice.text(4 + dice.below(3), '123456789'));
}

function name(dice: Dice): string {
  return dice.text(5 + dice.below(5), lower);
}

/** Text around a passage. */
export const around = [
  'The tool returned this:\n\n',
  '\n\nThat is all of it. Tell me if you need another file.',
] as const;

/** A source file of this repository. */
export function sourceText(path: string): string {
  return readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');
}
