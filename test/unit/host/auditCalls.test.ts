import assert from 'node:assert/strict';
import { auditCall } from '../../../src/host/audit/calls.ts';

describe('host: validation of messages from the audit page', () => {
  for (const call of [
    { type: 'ready', id: 1 },
    { type: 'refresh', id: 2 },
    { type: 'verify', id: 3 },
    { type: 'export', id: 4, format: 'csv' },
  ]) {
    it(`accepts ${call.type}`, () => assert.deepEqual(auditCall.parse(call), call));
  }

  for (const message of [
    undefined,
    'ready',
    { type: 'ready' },
    { type: 'purge', id: 1 },
    { type: 'verify', id: 'x' },
    { type: 'export', id: 1 },
    { type: 'export', id: 1, format: '../../x' },
  ]) {
    it(`refuses ${JSON.stringify(message)}`, () => assert.equal(auditCall.safeParse(message).success, false));
  }

  it('drops unknown properties', () => {
    assert.deepEqual(auditCall.parse({ type: 'export', id: 1, format: 'csv', target: 'file:///x' }), {
      type: 'export',
      id: 1,
      format: 'csv',
    });
  });
});
