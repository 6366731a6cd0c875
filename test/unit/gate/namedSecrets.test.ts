import assert from 'node:assert/strict';
import { isRandom, namedSecrets } from '../../../src/gate/secrets/rules/named.ts';
import { scanText } from '../../../src/gate/secrets/scanner.ts';
import { leastCost, processorMs } from '../../tools/processorTime.ts';
import { maskText } from './untagged.ts';

const masked = async (text: string): Promise<string> => maskText(text, await scanText(text));
// Random values for these tests, assembled here so that nothing in this file looks like a secret.
const value = ['q7Rt2mZx', '9LbV4kWp', '8NcY3hJd'].join('');
const hex = ['9f86d081', '884c7d65', '9a2feaa0'].join('');

/** How configuration files, code and the shell assign a value to a name. `@` stands for the value. */
const forms: readonly string[] = [
  'DB_PASSWORD=@',
  'export API_KEY="@"',
  'spring.datasource.password=@',
  '  clientSecret: @',
  "    secret_key: '@'",
  '{"privateToken": "@", "a": 1}',
  '[auth]\naccess_key = "@"',
  'const apiKey = "@";',
  'password: str = "@"',
  'private readonly authToken: string = `@`;',
  'resource "a" "b" {\n  admin_password = "@"\n}',
  'environment:\n  - POSTGRES_PASSWORD=@',
  '- name: JWT_SECRET\n  value: "@"',
  '<password>@</password>',
  '<add key="StorageKey" value="@" />',
  '-e TOKEN=@ image',
  'config["encryption_key"] = "@"',
  'helm install --set auth.password=@',
  'Authorization: Basic @',
  'DATABASE_PASS=@',
  'smtp.pass: @',
  'HMAC_KEY: "@"',
  "const key = process.env.API_KEY ?? '@';",
  'variable "db_password" {\n  type    = string\n  default = "@"\n}',
  'https://host.example/?access_token=@&page=1',
  // JSON in a string of JSON, as logs, errors and the arguments of tools have it.
  '{"body": "{\\"password\\": \\"@\\", \\"a\\": 1}"}',
  '"{\\\\\\"apiKey\\\\\\":\\\\\\"@\\\\\\"}"',
  '{"name": "DB_PASSWORD", "value": "@"}',
  '"env": "[{\\"name\\":\\"API_TOKEN\\",\\"value\\":\\"@\\"}]"',
  '<a data-x="{&quot;x&quot;:1, password=&quot;@&quot;}">',
  'client_secret=&#39;@&#39;',
  'password=\u001b[31m@\u001b[0m',
  'Kennwort: @',
  'db.passwort=@',
  'Password              : @',
  'password: &main @',
  'password: !!str @',
  '<password><![CDATA[@]]></password>',
  'password = """\n@"""',
  '**Password:** @',
  '- **Password**: `@`',
  '?password%3D@&x',
  '%7B%22password%22%3A%22@ ',
  'export DB_PASSWORD=\\\n@',
  'passwords:\n  - @',
  '"password": [\n  "@"]',
  'password – @',
  'password -> @',
  'password → @',
  'password <- "@"',
  '| password | @ |',
  'user;password;@',
  '<td>password</td>\n<td>@</td>',
  '<dt>Password</dt><dd>@</dd>',
  'store.setPassword("@")',
  'PASS=@',
  '"pw": "@"',
  'API-Schlüssel: @',
  'name\nDB_PASSWORD\nvalue\n@',
];

const harmless: readonly string[] = [
  'const token = getTokenFromHeader2(request);',
  'password = process.env.DB_PASSWORD1',
  'secret: Saml2X509Credential.Saml2X509CredentialType.VERIFICATION',
  'token_endpoint: "https://host.example/oauth2/v2.0/token"',
  "apiKey: 'your-api-key-goes-here-123'",
  'password: "correct-horse-battery-staple"',
  'tokenBindingKeyAlgorithm: JsonWebTokenAlgorithms.ES256',
  'private_key: ed25519.Ed25519PrivateKey',
  `checksum: ${hex}`,
  'import { ResetPasswordInputsV2, SignInStartApiResultV2 } from "a";',
  '"crc-16-buypass", "Crc16BuypassTable1"',
  'this.isFirstPass 615c19d9e03d4be2049c10db0151edbc3b229246',
  'refreshToken = managedIdentityRequest.revokedTokenSha256Hash;',
  "await credential.getToken('499b84ac-1321-427f-aa17-267ca6975798/.default')",
  `pass ${hex}`,
  'bypass=a1B2c3D4e5F6g7H8',
  'TOKEN=xxxxxxxxxxxxxxxxxxxxxxxx1234',
];

describe('gate: secrets, values of names that suggest a secret', () => {
  for (const form of forms) {
    it(`masks the value of ${JSON.stringify(form)}`, async () => {
      for (const one of [value, hex]) {
        assert.equal(await masked(form.replace('@', one)), form.replace('@', '[masked: generic-secret]'));
      }
    });
  }

  it('masks an unquoted value with $ or !, and takes only a whole one for a variable', async () => {
    const own = ['Xk9$', 'vQ2!', 'mPz7Lw'].join('');
    for (const form of [
      'password=@',
      'password: >-\n  @',
      'password: |2-\n    @',
      '<password>@</password>',
      'Server=h;Password=@;Encrypt=1',
      '"Server=h;Password=@;Encrypt=1"',
      'password is @',
      'Passwort ist @',
    ]) {
      assert.equal(await masked(form.replace('@', () => own)), form.replace('@', '[masked: generic-secret]'));
    }
    const escaped = own.replace('$', '&amp;');
    assert.equal(await masked(`<password>${escaped}</password>`), '<password>[masked: generic-secret]</password>');
    for (const variable of [
      '$DB_PASS_2X9aB3',
      '$'.concat('{DB_PASS_2X9aB3}'),
      '%DB_PASS_2X9%',
      '{{db_X9k2mQ7z}}',
      '$(a1B2c3D4e5F6)',
    ]) {
      assert.deepEqual(await scanText(`password=${variable}`), [], variable);
    }
  });

  it('masks all of a long value, and of one with parts that look like a version', async () => {
    const long = Array.from({ length: 30 }, (_, at) => `${value}${at}`).join('');
    assert.equal(await masked(`Authorization: Bearer ${long}`), 'Authorization: Bearer [masked: generic-secret]');
    const parts = ['16zv0mwufxbv', '932byv7s6ehog', 'fqrclri'].join('');
    assert.equal(await masked(`shopToken="${parts}"`), 'shopToken="[masked: generic-secret]"');
  });

  for (const text of harmless) {
    it(`does not mask ${JSON.stringify(text)}`, async () => {
      assert.deepEqual(await scanText(text), []);
    });
  }

  it('finds many in one long line in time that grows with its length', async () => {
    const text = `a_password="${value}",`.repeat(150_000);
    const cost = () => {
      const from = processorMs();
      const found = namedSecrets.flatMap(({ find }) => [...find(text)]).filter((one) => one !== null);
      assert.equal(found.length, 150_000);
      return processorMs() - from;
    };
    const ms = await leastCost(2_500, cost);
    assert.ok(ms <= 2_500, `${ms} ms`);
  });

  it('tells random values from words with numbers', () => {
    assert.ok(isRandom(value) && isRandom(hex) && isRandom('vK%mT9w!pZcRq@'));
    for (const word of [
      'Base64DecodeString',
      'sha256-algorithm',
      'version-1.2.3-beta.4',
      'test1234test1234',
      'aaaa1111bbbb2222',
    ]) {
      assert.equal(isRandom(word), false, word);
    }
  });

  it('masks the password of curl, not the user', async () => {
    const password = ['hun', 'ter2'].join('');
    assert.equal(
      await masked(`curl -sS \\\n  -u bob:${password} https://h`),
      'curl -sS \\\n  -u bob:[masked: curl-password] https://h',
    );
    assert.equal(await masked(`curl --user bob:'${password}' h`), "curl --user bob:'[masked: curl-password]' h");
    assert.equal(await masked(`curl -u ":${password}" h`), 'curl -u ":[masked: curl-password]" h');
    assert.deepEqual(await scanText(`docker run --user bob:${password} image`), []);
  });
});

describe('gate: secrets, Kubernetes Secrets', () => {
  const manifest = (kind: string): string =>
    `apiVersion: v1\nkind: ${kind}\ndata:\n  # who\n  user: Ym9i\n  "pass": "aHVudGVyMg=="\n  from: {{ .Values.x }}\n  long: |\n    b25l\n    dHdv\ntype: Opaque\n`;

  it('masks every value regardless of its form, and nothing else', async () => {
    const mark = '[masked: kubernetes-secret]';
    assert.equal(
      await masked(manifest('Secret')),
      `apiVersion: v1\nkind: Secret\ndata:\n  # who\n  user: ${mark}\n  "pass": "${mark}"\n  from: {{ .Values.x }}\n  long: |\n    ${mark}\n    ${mark}\ntype: Opaque\n`,
    );
  });

  it('are distinguished from the rest of the file', async () => {
    const text = `${manifest('ConfigMap')}---\n${manifest('Secret')}---\n${manifest('ConfigMap')}`;
    const found = await scanText(text);
    assert.equal(found.length, 4);
    assert.ok(found.every(({ start }) => start > text.indexOf('---') && start < text.lastIndexOf('---')));
    assert.deepEqual(await scanText(manifest('ConfigMap')), []);
  });
});
