import assert from 'node:assert/strict';
import { parseBaseUrl, resolveConnection } from '../../../src/policy/connection.ts';
import { user, workspace } from './layers.ts';

describe('policy: the address', () => {
  for (const good of [
    'https://svc.example.com/api/v1',
    'https://gateway.example.com:8443/svc/api/v1/',
    'http://127.0.0.1:4010/api/v1',
    'http://localhost/api/v1',
    'http://[::1]:80/api/v1',
  ]) {
    it(`1 takes ${good}`, () => assert.ok(parseBaseUrl(good)));
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
    it(`1 refuses ${bad === '' ? 'nothing' : bad}`, () => assert.equal(parseBaseUrl(bad), null));
  }

  it('has no slash at the end, and the exact origin', () => {
    assert.deepEqual(parseBaseUrl('https://svc.example.com:443/api/v1//'), {
      baseUrl: 'https://svc.example.com/api/v1',
      origin: 'https://svc.example.com',
    });
  });

  it('is unset until somebody sets it: a first step, not an error', () => {
    assert.deepEqual(resolveConnection([user({})]), { ok: false, unset: true, problems: [] });
  });

  it('shows no password of an address that it refuses', () => {
    const resolved = resolveConnection([user({ 'svc.baseUrl': 'https://me:hunter2@svc.example.com/api/v1' })]);
    assert.ok(!resolved.ok && resolved.problems.length === 1);
    assert.ok(!JSON.stringify(resolved).includes('hunter2'));
  });

  const named = user({
    'svc.baseUrl': 'https://one.example.com/api/v1',
    'svc.connections': [{ name: 'production', baseUrl: 'https://two.example.com/api/v1' }],
  });

  it('is the connection that a workspace chooses among those the user defined', () => {
    const resolved = resolveConnection([named, workspace({ 'svc.connection': 'production' })]);
    assert.deepEqual(resolved.ok && resolved.connection, {
      name: 'production',
      baseUrl: 'https://two.example.com/api/v1',
      origin: 'https://two.example.com',
    });
  });

  it('blocks a connection that nobody defined, and says which there are', () => {
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
