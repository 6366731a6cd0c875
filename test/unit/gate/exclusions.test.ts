import assert from 'node:assert/strict';
import fc from 'fast-check';
import { builtInDenial } from '../../../src/gate/denials.ts';
import { leadsElsewhere } from '../../../src/gate/exclusions.ts';

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

describe('gate: a path with names that lead outside', () => {
  it('is recognised, and `..data` is an ordinary name', () => {
    for (const path of ['/a/../b.ts', '/a//b', '/./a', '/..', '/a/']) assert.equal(leadsElsewhere(path), true, path);
    for (const path of ['/a/..data', '/..a/b', '/a/.b', '/...']) assert.equal(leadsElsewhere(path), false, path);
  });
});
