import assert from 'node:assert/strict';
import { scanText } from '../../../src/gate/secrets/scanner.ts';
import { leastCost, turnsOf } from '../../tools/processorTime.ts';
import { maskText } from './untagged.ts';

const masked = async (text: string): Promise<string> => maskText(text, await scanText(text));
// A password that is not random, assembled here so that nothing in this file looks like a secret.
const chosen = ['Som', 'mer', '24!'].join('');

describe('gate: secrets, passwords in the arguments of a command', () => {
  for (const form of [
    'mysql -p@ db',
    'mysqldump -u root -p@ db > x.sql',
    'mysql -h h \\\n  -u root \\\n  -p@ db',
    '/usr/bin/mysqladmin -p@ status',
    "mariadb -uroot -p'@' db",
    'docker exec db mysql -uroot -p@ -e "select 1"',
    'CMD ["mysql", "-p@"]',
    'subprocess.run(["sshpass", "-p", "@", "ssh", "h"])',
    "sshpass -p '@' ssh a@h",
    'sshpass -p@ scp a h:b',
    'docker login -u bob -p @ registry.example',
    'mongodump -u a -p @',
    'redis-cli -h h -a @ ping',
    'sqlcmd -S h -U sa -P @ -Q x',
    'zip -P @ a.zip b',
    '7z x -p@ a.7z',
    'ldapsearch -x -w @ -b dc=a',
    'plink -ssh h -pw @',
    'mysql --password=@ db',
    'wget --user a --http-password @ https://h',
    'any-tool --db-password "@"',
    'ConvertTo-SecureString "@" -AsPlainText -Force',
    "ConvertTo-SecureString -String '@' -Force",
    'machine h.example login bob password @',
    'machine h\n  login bob\n  password @\n',
    'protocol=https\nhost=h\nusername=bob\npassword=@\n',
  ]) {
    it(`masks the value of ${JSON.stringify(form)}`, async () => {
      assert.equal(await masked(form.replace('@', chosen)), form.replace('@', '[masked: command-password]'));
    });
  }

  for (const form of [
    'curl -ubob:@ https://h',
    'curl -sSu bob:@ h',
    'curl --proxy-user bob:@ h',
    'curl.exe -u bob:@ h',
  ]) {
    it(`masks the password of ${JSON.stringify(form)}`, async () => {
      assert.equal(await masked(form.replace('@', chosen)), form.replace('@', '[masked: curl-password]'));
    });
  }

  it('asks only once for each match of a user and a password whether curl is before it', async () => {
    const text = `curl\n${` -uuuuuuuuu:${'a'.repeat(200)}`.repeat(620)}`;
    const longestMs = await leastCost(200, async () => (await turnsOf(() => scanText(text))).longestMs);
    assert.ok(longestMs <= 200, `${longestMs} ms`);
  });

  it('masks the password of curl up to the end of the command', async () => {
    for (const [text, left] of [
      [`curl -u bob:${chosen}; ls`, 'curl -u bob:[masked: curl-password]; ls'],
      [`curl -u bob:${chosen}|less`, 'curl -u bob:[masked: curl-password]|less'],
      [`ls; curl -u bob:${chosen}`, 'ls; curl -u bob:[masked: curl-password]'],
    ] as const) {
      assert.equal(await masked(text), left);
    }
    for (const before of ['curl h; tool', 'curl h | tool', 'mycurl', `curl ${'a'.repeat(420)}`]) {
      assert.deepEqual(await scanText(`${before} -u bob:${chosen}`), [], before);
    }
  });

  for (const text of [
    'mysql -u root -p db',
    'mysql -u root -p$MYSQL_PWD',
    `mysql -p$${'{PASSWORD}'} db`,
    'mysql -p"$(cat file)" db',
    'mysql -p<password> db',
    'mysql -pPASSWORD db',
    'mysql -u root -pYOUR_PASSWORD',
    'mysql -P 3307 -h h',
    'echo mysql; ssh -p2222 host',
    'mysql db | tee -password1',
    'ssh -p 2222 host',
    'mkdir -p build/output2',
    'docker run -p 8080:80 image1',
    'sshpass -p $PASS1 ssh h',
    'tool --password %DB_PASS1%',
    'tool --password {{vault_pass1}}',
    'tool --password PASSWORD',
    'tool --password-file /run/secrets/a1',
    'tool --password string   the password of user1',
    'tool --passphrase sha256',
  ]) {
    it(`does not mask ${JSON.stringify(text)}`, async () => {
      assert.deepEqual(await scanText(text), []);
    });
  }
});

describe('gate: secrets, passwords in sentences', () => {
  for (const form of [
    'Das Passwort ist @',
    'Das Passwort für den Server lautet: @',
    'Mein Kennwort war „@“.',
    'The password is @, please change it.',
    'the admin password for staging is now @',
    'passphrase is "@"',
  ]) {
    it(`masks the value of ${JSON.stringify(form)}`, async () => {
      const plain = chosen.replace('!', 'x');
      assert.equal(await masked(form.replace('@', plain)), form.replace('@', '[masked: said-password]'));
    });
  }

  for (const text of [
    'The password is required.',
    'the password is sha256-hashed',
    'The password is 12-characters long',
    'the password is 8chars',
    'password is base64 encoded',
    'if the password is null2undefined()',
    'the password is $PASSWORD1',
    'The password is {{vault_pass1}}',
    'Das Passwort ist falsch.',
    'password is https://host1/path',
  ]) {
    it(`does not mask ${JSON.stringify(text)}`, async () => {
      assert.deepEqual(await scanText(text), []);
    });
  }
});
