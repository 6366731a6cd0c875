import assert from 'node:assert/strict';
import fc from 'fast-check';
import { credentialFiles } from '../../../src/gate/credentialFiles.ts';
import { builtInDenial, builtInDenialIn } from '../../../src/gate/denials.ts';
import { leadsElsewhere } from '../../../src/gate/exclusions.ts';
import { anyNamePattern, namePattern } from '../../../src/util/namePattern.ts';

describe('gate: files that never leave', () => {
  const denied = [
    '.env',
    '.env.local',
    '.ENV',
    '.env.',
    '.env ',
    '.env::$DATA',
    'x:key.pem',
    'C:.env',
    '.kube/config.',
    '.aws/credentials::$DATA',
    'a/b/.env.production',
    'server.pem',
    'SERVER.KEY',
    'store.p12',
    'release.keystore',
    'home/.ssh/id_rsa',
    'id_ed25519',
    'id_rsa_old',
    '.npmrc',
    '.aws/credentials',
    'home/.kube/config',
    'credentials.json',
    'service-account-prod.json',
    'config/secrets.yml',
    'C:\\Users\\me\\.ssh\\config',
    ...['.envrc', '.env-prod', '.env_local', '.env~', 'prod.env', '.env2', '.ENVRC', 'a/config.env', 'app.env.local'],
    ...['.env.swp', '#.env#', '.#.env', '.env.bak', '.env.bak.1', '.env.old', '.env copy', '.env (1)', '.env.~1~'],
    ...['server.pem~', '.server.pem.swp', 'id_rsa.bak', '.id_rsa.swp', '#id_rsa#', '.#id_rsa', 'key.pem.orig'],
    ...['prod.env.bak', '.prod.env.swp', '.aws/credentials.bak', '.kube/config~', '.kube/.config.swp', '.npmrc.bak2'],
    ...[
      'credentials.json.1',
      'Kopie von credentials.json',
      'Copy of id_rsa',
      '.git-credentials.lock',
      '.\u017fsh/config',
    ],
    ...['credentials (1).json', 'credentials copy.json', 'Credentials - Copy (2).json', '.secrets.toml___jb_tmp___'],
    ...[
      'credentials.yml',
      'credentials.toml',
      '.credentials.json',
      'application_default_credentials.json',
      'secret.xml',
    ],
    ...[
      'me_accessKeys.csv',
      'rootkey.csv',
      '.envs/.production/.django',
      '.dev.vars',
      'terraform.tfstate',
      '.vault-token',
    ],
    ...[
      '.docker/config.json.bak',
      'local.settings.json',
      'my-firebase-adminsdk-x1.json',
      '.config/gh/hosts.yml',
      'x.keytab',
    ],
    '.env.swp.bak~',
    `${'a'.repeat(1_001)}.ts`,
  ];
  const allowed = [
    '.env.example',
    '.env.sample',
    'environment.ts',
    'id_rsa.pub',
    'keys.ts',
    'monkey',
    'public.crt',
    'docs/credentials.md',
    'secrets.ts',
    '.aws/config',
    'src/ssh/client.ts',
    ...['.env-example', '.env_sample', 'example.env', '.envrc.example', '.env.template', '.env.dist', '.ENV.Example'],
    ...['env.ts', 'vite-env.d.ts', 'dotenv.md', 'src/env/index.ts', '.gitignore', 'a~', 'b.bak', '#', '.#', '#a#', '~'],
    ...['copy.ts', 'notes copy.txt', 'a (1).md', 'tokens.ts', '.github/workflows/ci.yml', 'auth.json', 'id_card.ts'],
    ...['.env/bin/activate', 'monkey.bak', 'id_rsa.pub', '.vscode/settings.json', 'passwords.test.ts'],
  ];

  it('files are recognized by their names and places, in upper and lower case', () => {
    for (const path of denied) assert.notEqual(builtInDenial(path), null, path);
    for (const path of allowed) assert.equal(builtInDenial(path), null, path);
  });

  it('files are recognized in any folder', () => {
    const folders = fc.array(fc.stringMatching(/^[a-zA-Z0-9_ -]{1,8}$/), { maxLength: 4 });
    fc.assert(
      fc.property(folders, fc.constantFrom('.env', 'x.pem', 'id_rsa'), fc.boolean(), (path, name, isUpper) => {
        const whole = [...path, isUpper ? name.toUpperCase() : name].join('/');
        assert.notEqual(builtInDenial(whole), null);
      }),
    );
  });
});

describe('gate: names of credential files, looked up', () => {
  const patterns = credentialFiles.flatMap(({ names }) => names).filter((name) => !name.endsWith('/'));
  const part = fc.constantFrom(
    '',
    'a',
    'A',
    '.',
    '.a',
    '-x',
    '.json',
    '.bak',
    '~',
    ' (1)',
    '.ts',
    'é',
    '\\',
    ':',
    'ſ',
    'K',
    'Σ',
  );
  const name = fc
    .tuple(part, fc.constantFrom(...patterns, 'index.ts', '*'), part, part, part)
    .map(([first, pattern, inside, ...last]) => [first, pattern.replaceAll('*', inside), ...last].join(''));
  const folder = fc.constantFrom(
    '',
    '/w',
    '/w/.ssh',
    '/w/.AWS',
    '/w/Σ',
    '/w\\.kube',
    '/w/a.b',
    '.envs',
    '/w/.config/gh',
  );

  it('are the names that the table has', () => {
    const rules = credentialFiles.map(({ names, except = [] }) => ({
      matches: anyNamePattern(names),
      isExcept: (one: string) => except.some((pattern) => namePattern(pattern).test(one)),
    }));
    let denied = 0;
    const property = fc.property(folder, name, (inside, one) => {
      const path = `${inside}/${one}`.replaceAll('\\', '/').toUpperCase().toLowerCase();
      const isDenied = rules.some(({ matches, isExcept }) => matches.test(path) && !isExcept(path));
      if (isDenied) denied += 1;
      if (isDenied) assert.notEqual(builtInDenial(`${inside}/${one}`), null, path);
    });
    fc.assert(property, { numRuns: 20_000 });
    assert.ok(denied > 2_000);
  });

  it('are the same by the folder and the name as by the path', () => {
    const property = fc.property(folder, name, (inside, one) => {
      if (!one.includes('/')) assert.equal(builtInDenialIn(inside)(one), builtInDenial(`${inside}/${one}`));
    });
    fc.assert(property, { numRuns: 20_000 });
  });
});

describe('gate: a path with names that lead outside', () => {
  it('is recognized, and `..data` is an ordinary name', () => {
    for (const path of ['/a/../b.ts', '/a//b', '/./a', '/..', '/a/']) assert.equal(leadsElsewhere(path), true, path);
    for (const path of ['/a/..data', '/..a/b', '/a/.b', '/...']) assert.equal(leadsElsewhere(path), false, path);
  });
});
