import assert from 'node:assert/strict';
import { completeAddress, parseBaseUrl, resolveConnection } from '../../../src/policy/connection.ts';
import { user, workspace } from './layers.ts';

describe('policy: the address', () => {
  for (const good of [
    'https://svc.example.com/api/v1',
    'https://gateway.example.com:8443/svc/api/v1/',
    'http://127.0.0.1:4010/api/v1',
    'http://localhost/api/v1',
    'http://[::1]:80/api/v1',
  ]) {
    it(`1 accepts ${good}`, () => assert.ok(parseBaseUrl(good)));
  }

  for (const bad of [
    'http://svc.example.com/api/v1',
    'https://svc.example.com',
    'https://svc.example.com/api/v2',
    'https://name:secret@svc.example.com/api/v1',
    'https://svc.example.com/api/v1?x=1',
    'https://svc.example.com/api/v1#x',
    'http://127.0.0.1.evil.example/api/v1',
    'http://localhost.evil.example/api/v1',
    'file:///api/v1',
    'svc.example.com/api/v1',
    '',
  ]) {
    it(`1 rejects ${bad === '' ? 'nothing' : bad}`, () => assert.equal(parseBaseUrl(bad), null));
  }

  for (const [typed, address] of [
    ['svc.example.com', 'https://svc.example.com/api/v1'],
    ['  svc.example.com:8443/ ', 'https://svc.example.com:8443/api/v1'],
    ['gateway.example.com/svc', 'https://gateway.example.com/svc/api/v1'],
    ['https://svc.example.com', 'https://svc.example.com/api/v1'],
    ['https://svc.example.com/api/v1//', 'https://svc.example.com/api/v1'],
    ['https://svc.example.com/api/v1/chat/completions', 'https://svc.example.com/api/v1'],
    ['HTTPS://svc.example.com/api/v1/models', 'HTTPS://svc.example.com/api/v1'],
    ['localhost:4010', 'http://localhost:4010/api/v1'],
    ['127.0.0.1', 'http://127.0.0.1/api/v1'],
    ['[::1]:80/api/v1', 'http://[::1]:80/api/v1'],
    ['localhost.example.com', 'https://localhost.example.com/api/v1'],
    ['müller.example', 'https://müller.example/api/v1'],
  ] as const) {
    it(`is ${address} for "${typed}"`, () => {
      assert.equal(completeAddress(typed), address);
      assert.ok(parseBaseUrl(address));
    });
  }

  for (const typed of [
    '',
    'http://svc.example.com',
    'name:secret@svc.example.com',
    'svc.example.com?x=1',
    'file:///x',
    'a b',
  ]) {
    it(`cannot be completed from "${typed}"`, () => assert.equal(parseBaseUrl(completeAddress(typed)), null));
  }

  it('has no trailing slash, and the exact origin', () => {
    assert.deepEqual(parseBaseUrl('https://svc.example.com:443/api/v1//'), {
      baseUrl: 'https://svc.example.com/api/v1',
      origin: 'https://svc.example.com',
    });
  });

  it('is unset until configured: a setup step, not an error', () => {
    assert.deepEqual(resolveConnection([user({})]), { ok: false, unset: true, problems: [] });
  });

  it('shows no password of a rejected address', () => {
    const resolved = resolveConnection([user({ 'svc.baseUrl': 'https://me:hunter2@svc.example.com/api/v1' })]);
    assert.ok(!resolved.ok && resolved.problems.length === 1);
    assert.ok(!JSON.stringify(resolved).includes('hunter2'));
  });

  const named = user({
    'svc.baseUrl': 'https://one.example.com/api/v1',
    'svc.connections': [{ name: 'production', baseUrl: 'https://two.example.com/api/v1' }],
  });

  it('uses the connection that a workspace chooses from those of the user', () => {
    for (const unset of [null, '']) {
      const plain = resolveConnection([named, workspace({ 'svc.connection': unset })]);
      assert.deepEqual(plain, resolveConnection([named]));
    }
    const resolved = resolveConnection([named, workspace({ 'svc.connection': 'production' })]);
    assert.deepEqual(resolved.ok && resolved.connection, {
      name: 'production',
      baseUrl: 'https://two.example.com/api/v1',
      origin: 'https://two.example.com',
    });
  });

  it('blocks an undefined connection, and lists the defined ones', () => {
    const resolved = resolveConnection([named, workspace({ 'svc.connection': 'staging' })]);
    assert.deepEqual(!resolved.ok && resolved.problems, [
      {
        reason: 'unknown-connection',
        key: 'svc.connection',
        found: [{ layer: 'workspace', value: '"staging"' }],
        allowed: { kind: 'oneOf', values: ['production'], orNull: true },
      },
    ]);
  });
});
