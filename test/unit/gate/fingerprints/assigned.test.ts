import assert from 'node:assert/strict';
import { allAssignedIn } from '../../../../src/gate/fingerprints/assigned.ts';
import { Fingerprints } from '../../../../src/gate/fingerprints/fingerprints.ts';
import { isSecretLooking } from '../../../../src/gate/fingerprints/values.ts';
import { finished } from '../../../tools/processorTime.ts';

const valuesOf = (text: string): readonly string[] => [
  ...new Set(
    finished(allAssignedIn(text))
      .filter(isSecretLooking)
      .map(({ value }) => value),
  ),
];

// These are weak on purpose: no word of them looks like a secret without its name.
const [one, two] = ['maple!river7', 'amber?stone4'];
// Assembled here, so that secret scanners find nothing in this file.
const strong = ['Xk9#m', 'Q2pL7vR'].join('');

/** The value `one` in the forms in which it comes with a name, and the value `strong` without one. */
const forms: Readonly<Record<string, string>> = {
  'an element of XML': `<server>\n  <username>deploy</username>\n  <password>${one}</password>\n</server>`,
  'an element with attributes': `<entry key="db.password">${one}</entry>`,
  'an element over several lines': `<apiToken>\n  ${one}\n</apiToken>`,
  'attributes of XML': `<add key="ShopPassword" value="${one}" />`,
  'an attribute of XML': `<login user="app" password="${one}"/>`,
  'a comma-separated table': `name,url,username,password\nBank,https://bank.example.com/,alice,${one}`,
  'a table in quotes': `"url","login_password","username"\n"https://a.example.com","${one}","a, b"`,
  'a table with tabs': `site\tuser\tpassword\nbank\talice\t${one}`,
  'a Markdown table': `| site | password |\n|---|---|\n| bank | ${one} |`,
  'a connection string': `Default="Server=tcp:db,1433;User ID=app;Password=${one};Encrypt=True;"`,
  'a connection string in JSON': `{"Sql": "Server=tcp:db,1433;Pwd=${one};Encrypt=True"}`,
  'an address with parameters': `URL=jdbc:mysql://db/shop?user=app&password=${one}&ssl=true`,
  'a folded block of YAML': `db:\n  password: >-\n    ${one}\n  host: db`,
  'a block of YAML with a comment': `- password: | # old\n    ${one}`,
  'the next line in YAML': `password:\n  ${one}`,
  'a list of YAML': `passwords:\n- ${one}\nhost: db`,
  'an indented list of YAML': `passwords:\n  - "${one}"`,
  'a flow mapping of YAML': `user: {username: admin, password: ${one}}`,
  'a flow list of YAML': `passwords: [${one}, a]`,
  'name and value in YAML': `env:\n  - name: DB_PASSWORD\n    value: "${one}"`,
  'name and value in JSON': `[{"name": "DB_PASSWORD", "value": "${one}"}]`,
  'a list of JSON': `{\n  "passwords": [\n    "${one}",\n    "x"\n  ]\n}`,
  'a list of JSON that begins in its line': `{"passwords": ["${one}",\n"x"]}`,
  'a list of JSON in one line': `{"a": 1, "passwords": ["x", "${one}"]}`,
  'a string of JSON with a quote': `{"password": "a\\"${one}"}`,
  'a text of TOML': `password = """\n${one}"""`,
  'a text of TOML in one line': `password = """${one}"""`,
  'an inline table of TOML': `login = { name = "alice", password = "${one}" }`,
  'a list of TOML': `tokens = [\n  '${one}',\n]`,
  'an option': `OPTIONS=--host redis --pass ${one}`,
  'a user and a password': `OPTIONS=-u alice:${one} https://a.example.com`,
  'a password with a scheme': `alice:{PLAIN}${one}`,
  'a comment after a semicolon': `A_PASS=${one} ; old`,
  'a comment after two slashes': `A_PASS=${one} // old`,
  'columns without names': `bank alice.miller   ${strong}`,
  'a user in a line with a colon': `the router in the cellar: ${strong}`,
  'an authorization': `curl -H "Authorization: Basic ${['YWxpY2U6', 'WGs5I21R'].join('')}"`,
};

describe('gate: the values of files with credentials', () => {
  for (const [what, text] of Object.entries(forms)) {
    it(`are read from ${what}`, () => {
      const found = valuesOf(text);
      const isIn = (part: string): boolean => found.includes(part);
      assert.ok([one, strong, `a\\"${one}`, ['YWxpY2U6', 'WGs5I21R'].join('')].some(isIn), found.join('\n'));
    });
  }

  it('are numbers only with the name of a secret', () => {
    assert.deepEqual(valuesOf('{\n  "pin": 48213377,\n  "port": 48213378\n}'), ['48213377']);
    assert.deepEqual(valuesOf('{"a": 1, "pin": 48213377, "b": 48213378}'), ['48213377']);
  });

  it('are several in a list, a block and a table, and end with it', () => {
    assert.deepEqual(valuesOf(`passwords:\n  - ${one}\n  - ${two}\nhosts:\n  - maple!river8`), [one, two]);
    assert.deepEqual(valuesOf(`{"passwords": [\n"${one}",\n"${two}"\n],\n"hosts": [\n"maple!river8"\n]}`), [one, two]);
    assert.deepEqual(valuesOf(`site,password\na,${one}\nb,${two}\n\nc,maple!river8`), [one, two]);
    assert.deepEqual(valuesOf(`password: |\n  ${one}\nmaple!river8`), [one]);
  });

  it('are found alone and in a table, in any script', () => {
    const prints = new Fingerprints();
    const text = `DB_PASSWORD=Пароль!Секрет77\nOTHER_PASSWORD=Schlüssel!brett\n\n${forms['a comma-separated table']}\n`;
    assert.equal(finished(prints.add({ file: 1, text, isCredential: true })), 'recognized');
    for (const value of ['Пароль!Секрет77', 'Schlüssel!brett', one]) {
      for (const sent of [`It is ${value}, I think.`, `| 1 | ${value} |`]) {
        assert.equal(finished(prints.find(sent))[0]?.kind, 'value', sent);
      }
    }
  });

  it('are no words, hosts, numbers, versions, dates, paths, placeholders and names, in any form', () => {
    for (const other of [
      ...['true', 'admin', 'localhost', 'production', 'Passwort', 'Schlüssel', 'пароль', 'undefined', 'admin123'],
      ...['db.internal.example.com', 'db01.internal:5432', '10.20.30.40', '10.20.30.40:5432', '4711', '8443'],
      ...['v1.24.3', '1.24.3-alpine', '2024-05-01', '2024-05-01T10:20Z', '/run/secrets/db', './keys/a.pem'],
      ...[`${'$'}{DB_PASSWORD}`, '{{ db_password }}', '%DB_PASSWORD%', '%{db_password}', 'changeme', 'eu-central-1'],
      ...['-----BEGIN RSA PRIVATE KEY-----', 'process.env.DB_PASSWORD', 'var.db_password', 'alice@example.com'],
    ]) {
      for (const [what, text] of Object.entries(forms)) {
        const found = valuesOf(text.replaceAll(one, other).replaceAll(strong, other));
        // A connection string as a whole is a value that occurs nowhere else.
        const rest = found.filter((value) => value.length <= other.length + 3 && !/^(?:a\\"|YWxp)/.test(value));
        assert.deepEqual(rest, [], `${what}: ${other}`);
      }
    }
  });

  it('are not what is in a file beside its secrets', () => {
    for (const text of [
      'secrets:\n  database:\n    user: app_of_the_shop\n    host: the-database-of-the-shop',
      'secrets:\n  - the-database-of-the-shop\n  - payment_service_password_2',
      '<credentials>\n  <id>nexus-releases-of-the-shop</id>\n</credentials>',
      'key,value\nthe.name.of-the-setting,a',
      'site,password hint\nbank,name-of-the-first-pet',
      'A="Server=db;Authentication=ActiveDirectoryPassword;SharedAccessKeyName=RootManageSharedAccessKey"',
      'see PR#12a, Fixes#123, AES#256Gcm, C#8, i18n, utf8, a1&b2&c3&d4, https://a.example.com/a?B1=c2%2FD3',
      'images:\n  - registry.example.com/shop/api:1.24.3-Alpine3\n  - db01-eu-central-1a',
      'IMAGE_PULL_SECRETS_PATH=/etc/Secrets1',
      'The access key, not the password, is in the vault, as agreed.\nAsk Alice, or Bob2, for both!',
      'private_ips:\n  - 10.20.30.40\n  - 10.20.30.41',
      'the shop, the passwords, the keys\nBob2, then maple!river7\n\nof a, b\nthe password, too\na, maple!river7',
      'const token =\n  await tokens.of(shop)\n  .then(two)',
    ]) {
      assert.deepEqual(valuesOf(text), [], text);
    }
  });
});
