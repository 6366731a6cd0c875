import assert from 'node:assert/strict';
import fc from 'fast-check';
import picomatch from 'picomatch';
import { builtInDenial } from '../../../src/gate/denials.ts';
import { globsOf, leadsElsewhere } from '../../../src/gate/exclusions.ts';

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
  ];

  it('by their names and places, in any case', () => {
    for (const path of denied) assert.notEqual(builtInDenial(path), null, path);
    for (const path of allowed) assert.equal(builtInDenial(path), null, path);
  });

  it('in any folder', () => {
    const folders = fc.array(fc.stringMatching(/^[a-zA-Z0-9_ -]{1,8}$/), { maxLength: 4 });
    fc.assert(
      fc.property(folders, fc.constantFrom('.env', 'x.pem', 'id_rsa'), fc.boolean(), (path, name, isUpper) => {
        const whole = [...path, isUpper ? name.toUpperCase() : name].join('/');
        assert.notEqual(builtInDenial(whole), null);
      }),
    );
  });
});

describe('gate: files.exclude', () => {
  const setting = { '**/node_modules': true, '**/*.js': { when: '$(basename).ts' }, '**/dist': false, '**/Out': true };

  it('excludes files, and folders with all their content', () => {
    const globs = globsOf(setting, false);
    for (const [path, rule] of [
      ['node_modules/a/b.ts', '**/node_modules'],
      ['a/node_modules/b.ts', '**/node_modules'],
      ['a/b.js', '**/*.js'],
      ['dist/a.ts', null],
      ['out/a.ts', null],
    ] as const) {
      assert.equal(globs.check(path), rule, path);
    }
  });

  it('excludes what picomatch matches, also for globs that need no regular expression', () => {
    const word = fc.stringMatching(/^[a-bA-B.\u0131\u212ak-]{1,4}$/).filter((name) => !/^\.{1,2}$/.test(name));
    const glob = fc.tuple(fc.constantFrom('**/', '**/*', '**/*.', '*.', ''), word).map((parts) => parts.join(''));
    const paths = fc.array(word, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
    fc.assert(
      fc.property(glob, paths, fc.boolean(), (pattern, path, nocase) => {
        const matches = picomatch(pattern, { dot: true, nocase });
        const folders = path.split('/').map((_, index, names) => names.slice(0, index + 1).join('/'));
        const isExcluded = folders.some((folder) => matches(folder));
        assert.equal(globsOf({ [pattern]: true }, nocase).check(path), isExcluded ? pattern : null);
      }),
      { numRuns: 3_000 },
    );
  });

  it('is case-sensitive if the file system is', () => {
    assert.equal(globsOf(setting, true).check('out/a.ts'), '**/Out');
  });
});

describe('gate: a path with names that lead outside', () => {
  it('is recognised, and `..data` is an ordinary name', () => {
    for (const path of ['/a/../b.ts', '/a//b', '/./a', '/..', '/a/']) assert.equal(leadsElsewhere(path), true, path);
    for (const path of ['/a/..data', '/..a/b', '/a/.b', '/...']) assert.equal(leadsElsewhere(path), false, path);
  });
});
