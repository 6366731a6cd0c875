import assert from 'node:assert/strict';
import fc from 'fast-check';
import { builtInDenial } from '../../../src/gate/denials.ts';
import { createExclusions, type ExclusionRules, type IgnoreFile } from '../../../src/gate/exclusions.ts';

const none: ExclusionRules = { ignoreFiles: [], filesExclude: {}, isCaseInsensitive: false };
const git = (text: string, folder = ''): IgnoreFile => ({ name: '.gitignore', folder, text });
const svc = (text: string, folder = ''): IgnoreFile => ({ name: '.svcignore', folder, text });
const by = (path: string, rules: Partial<ExclusionRules>): string | undefined =>
  createExclusions({ ...none, ...rules }).check(path)?.by;

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

  it('and nothing includes them again', () => {
    const ignoreFiles = [git('!.env\n!*.pem\n!**'), svc('!.env\n!*.pem\n!**', 'a')];
    const filesExclude = { '**/.env': false, '**/*.pem': false };
    for (const path of ['.env', 'a/.env', 'a/b.pem', 'a/.ssh/x']) {
      assert.equal(by(path, { ignoreFiles, filesExclude }), 'built-in', path);
    }
  });

  it('nor does any prefix of folders', () => {
    const folders = fc.array(fc.stringMatching(/^[a-zA-Z0-9_ -]{1,8}$/), { maxLength: 4 });
    fc.assert(
      fc.property(folders, fc.constantFrom('.env', 'x.pem', 'id_rsa'), fc.boolean(), (path, name, isUpper) => {
        const whole = [...path, isUpper ? name.toUpperCase() : name].join('/');
        assert.notEqual(builtInDenial(whole), null);
      }),
    );
  });
});

describe('gate: files that the workspace excludes', () => {
  it('by .gitignore and .svcignore, as git reads them', () => {
    const ignoreFiles = [git('*.log\n/build/\n!keep.log'), git('*.txt\n!a.txt', 'docs'), svc('internal/')];
    const rows = [
      ['x.log', '.gitignore'],
      ['keep.log', undefined],
      ['build/a.js', '.gitignore'],
      ['src/build/a.js', undefined],
      ['docs/b.txt', '.gitignore'],
      ['docs/a.txt', undefined],
      ['b.txt', undefined],
      ['src/internal/deep/a.ts', '.svcignore'],
      ['src/a.ts', undefined],
    ] as const;
    for (const [path, rule] of rows) assert.equal(by(path, { ignoreFiles }), rule, path);
  });

  it('an inner file may include again what an outer one ignores, but nothing below an ignored folder', () => {
    const ignoreFiles = [git('*.csv\nvendor/'), git('!data.csv', 'a'), git('!x.ts', 'vendor')];
    assert.equal(by('a/data.csv', { ignoreFiles }), undefined);
    assert.equal(by('b/data.csv', { ignoreFiles }), '.gitignore');
    assert.equal(by('vendor/x.ts', { ignoreFiles }), '.gitignore');
  });

  it('what .gitignore includes again, .svcignore may still exclude', () => {
    assert.equal(by('a.csv', { ignoreFiles: [git('!a.csv'), svc('*.csv')] }), '.svcignore');
  });

  it('by files.exclude, folders with all that is in them', () => {
    const filesExclude = { '**/node_modules': true, '**/*.js': { when: '$(basename).ts' }, '**/dist': false };
    for (const [path, rule] of [
      ['node_modules/a/b.ts', 'files.exclude'],
      ['a/node_modules/b.ts', 'files.exclude'],
      ['a/b.js', 'files.exclude'],
      ['dist/a.ts', undefined],
    ] as const) {
      assert.equal(by(path, { filesExclude }), rule, path);
    }
  });

  it('case counts where the file system tells cases apart', () => {
    const rules = { ignoreFiles: [git('private/')], filesExclude: { '**/Out': true } };
    assert.equal(by('PRIVATE/a.ts', rules), undefined);
    assert.equal(by('PRIVATE/a.ts', { ...rules, isCaseInsensitive: true }), '.gitignore');
    assert.equal(by('out/a.ts', { ...rules, isCaseInsensitive: true }), 'files.exclude');
  });

  it('a path that leads elsewhere is refused', () => {
    for (const path of [
      '../a.ts',
      'a/../b.ts',
      '/etc/passwd',
      '',
      'a//b',
      'a\\..\\b.ts',
      './a.ts',
      'c:/a.ts',
      'C:\\a.ts',
    ]) {
      assert.equal(createExclusions(none).check(path)?.pattern, 'outside', path);
    }
  });

  it('says which rule it was', () => {
    assert.deepEqual(createExclusions({ ...none, ignoreFiles: [git('*.log', 'a/b')] }).check('a/b/c.log'), {
      by: '.gitignore',
      pattern: 'a/b/.gitignore',
    });
  });
});
