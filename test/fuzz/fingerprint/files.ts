import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Dice } from '../secretExamples.ts';

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
  'PIN, 8 digits': ['ADMIN_PIN', (dice) => dice.text(8, digits)],
};

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

/** Text around a passage. */
export const around = [
  'The tool returned this:\n\n',
  '\n\nThat is all of it. Tell me if you need another file.',
] as const;

/** A source file of this repository. */
export function sourceText(path: string): string {
  return readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');
}
