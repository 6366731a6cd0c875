import assert from 'node:assert/strict';
import { scanText } from '../../../src/gate/secrets/scanner.ts';
import { maskText } from './untagged.ts';

// Assembled here, so that secret scanners find nothing in this file.
const part = (...parts: readonly string[]): string => parts.join('');
const token = part('gh', 'p_', 'a1B2'.repeat(9));
const awsSecret = part('wJalrXUtnFEMI/K7MDENG', '/bPxRfiCYABCDEFGHIJ');
const begin = part('-----BEGIN RSA PRIVATE', ' KEY-----');
const end = part('-----END RSA PRIVATE', ' KEY-----');
const keyLine = 'MIIEowIBAAKCAQEAu1SU1LfVLPHCozMxH2Mo';
const coded = (text: string): string => Buffer.from(text).toString('base64url');
const masked = async (text: string): Promise<string> => maskText(text, await scanText(text));

/** A text, and the text after masking. */
const rows: readonly (readonly [string, string, string])[] = [
  ['a token behind a byte order mark', `\ufeff${token}\n`, '\ufeff[masked: github-token]\n'],
  [
    'all of an AWS secret key, not its name',
    `aws_secret_access_key = "${awsSecret}"`,
    'aws_secret_access_key = "[masked: aws-secret-access-key]"',
  ],
  [
    'a password with an @ in it',
    part('https://bob:', 'p@ssw0rd', '@host.io/x'),
    'https://bob:[masked: url-password]@host.io/x',
  ],
  ['a password that begins as a variable does', part('db://u:', '$ecretPw9', '@h'), 'db://u:[masked: url-password]@h'],
  [
    'a password that begins with a coded character',
    part('db://u:', '%41bcdEF9', '@h'),
    'db://u:[masked: url-password]@h',
  ],
  ['a password that begins with a bracket', part('db://u:', '[abcdEF9', '@h'), 'db://u:[masked: url-password]@h'],
  ...[
    part('postgresql://myadmin@myserver:', '*', '@myserver.example.com/db'),
    part('smtp://me@example.com:', '*', '@smtp.example.com:587'),
    part("db://o'brien:", '*', '@h'),
    part('db://u:', '*', '@$HOST/db'),
    part('db://u:', '*', '@$', '{HOST}/db'),
    part('db://u:', '*', '@{host}/db'),
    part('db://u:', '*', '@{}/db'),
    part('db://u:', '*', "@{os.environ['H']}/db"),
    part('db://u:', '*', '@%s/db'),
    part('db://u:', '*', '@<host>/db'),
    part('db://u:', '*', '@/db?host=/var/run'),
  ].map((url): readonly [string, string, string] => [
    `the password of ${url}`,
    url.replace('*', part('correct-', 'horse7b@ttery')),
    url.replace('*', '[masked: url-password]'),
  ]),
  [
    'a password before a host with templates after it',
    part('db://u:', 'horse7battery', '@h?a={a}@{b}'),
    'db://u:[masked: url-password]@h?a={a}@{b}',
  ],
  ['a JWT whose header has a space', `${coded('{ "alg": "HS256" }')}.${coded('{"sub":"1"}')}.c2ln`, '[masked: jwt]'],
  ['a social security number with spaces', part('is 123', ' 45 6789'), 'is [masked: us-ssn]'],
  ['a number whose label is part of a name', part('user_ssn = 123', '456789'), 'user_ssn = [masked: us-ssn]'],
  ['each of a row of numbers', part('123-45', '-6789 ').repeat(2), '[masked: us-ssn] [masked: us-ssn] '],
  ['each of a row of accounts', part('DE893704', '00440532013000 ').repeat(2), '[masked: iban] [masked: iban] '],
  ['a cut key with headers', `${begin}\nProc-Type: 4,ENCRYPTED\n\n${keyLine}\n`, '[masked: private-key]\n\n\n\n'],
  ['a cut key in a comment', `// ${begin}\n// ${keyLine}\n`, '// [masked: private-key]\n\n'],
  [
    'a key of 20,000 characters',
    `${begin}\n${`${keyLine}\n`.repeat(560)}${end}`,
    `[masked: private-key]${'\n'.repeat(561)}`,
  ],
  ['a key of short lines', `${begin}\n${'MIIEowIB\n'.repeat(12)}${end}`, `[masked: private-key]${'\n'.repeat(13)}`],
  ['a key of our own behind a name', part('my_svc_', 'ent_abcdef012345'), 'my_[masked: svc-key]'],
];

const harmless: readonly string[] = [
  'docker://alpine:3.18@sha256:e3b0c44298fc1c14',
  'http://localhost:3000?mail=a@b.com',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of a shell.
  'db://u:$PASS@h db://u:${PASS}@h db://u:$dbPassword@h db://u:%PASS%@h db://u:{{pw}}@h db://u:[password]@h',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of a shell.
  'db://$u:$PASS@$HOST db://${u}:${PASS}@${HOST} db://${U:-app}:${P:-app}@${H:-db} db://$u:$pass1@$host',
  'db://{u}:{pw}@{h} db://{u}:{quote(pw)}@{h} db://{}:{}@{} db://%s:%s@%s db://%1$s:%2$s@%3$s db://u:password@<host>',
  'http://example.com/@scope:a@b http://example.com/a@b:c@{d} http://me@localhost:3000?mail=a@b.com h://h:80@/x',
  "'http://'+user+':'+word+'@'+host, {'u':'http://','k:a@b'} s|http://[^:]*:[^@]*@|http://| ^http://.+:.+@$",
  'ssh://git@github.com:a/b.git@v1 docker://me@h:3.18@sha256:e3b0c44298fc1c14',
  `if (text.startsWith('${begin}') && text.endsWith('${end}')) return text.slice(1);`,
  'rows: 123 45 6789 12, 1 123 45 6789',
  '{"integrity":"sha512-eyJhbGciOiJub25lIn0"}',
];

describe('gate: secrets, masked completely', () => {
  for (const [what, text, left] of rows) {
    it(`masks ${what}`, async () => {
      assert.equal(await masked(text), left);
    });
  }

  for (const text of harmless) {
    it(`does not mask ${JSON.stringify(text.slice(0, 40))}`, async () => {
      assert.deepEqual(await scanText(text), []);
    });
  }

  it('reports line and column for any line endings', async () => {
    const found = await scanText(`a\r\nb ${token}\rc\n  ${token} ${token}`);
    assert.deepEqual(
      found.map(({ line, column }) => [line, column]),
      [
        [2, 3],
        [4, 3],
        [4, 44],
      ],
    );
  });

  it('a mark is not a label: a list under one is masked in one round, not one number per round', async () => {
    const once = await masked(`ssn\n${part('123', '456789\n').repeat(50)}`);
    assert.deepEqual(await scanText(once), []);
  });

  it('finds many as it finds one', async () => {
    assert.equal((await scanText(`${token}\n`.repeat(2000))).length, 2000);
  });

  it('leaves no trace in shared state', async () => {
    const names = Reflect.ownKeys(globalThis);
    const before = performance.getEntries().length;
    await scanText(token);
    assert.equal(performance.getEntries().length, before);
    assert.deepEqual(Reflect.ownKeys(globalThis), names);
  });
});
