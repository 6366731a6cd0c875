import assert from 'node:assert/strict';
import { postureLines } from '../../../src/protocol/posture.ts';

const header = { name: 'Svc-Audit', value: 'true', setting: 'svc.compliance.audit', isManaged: false };
const headers = [
  { ...header, source: 'user', overruled: '' },
  { ...header, name: 'Svc-Region', value: 'eu-west', source: 'your administrator', overruled: 'user set any' },
];

describe('protocol/posture', () => {
  it('has a line for each header, with the layers that set it and those that asked for less', () => {
    assert.deepEqual(postureLines({ label: 'audit · eu-west', short: 'audit · eu-west', headers, problems: [] }), [
      'Svc-Audit: true (user)',
      'Svc-Region: eu-west (your administrator; user set any)',
    ]);
    assert.deepEqual(postureLines({ label: '', short: '', headers: [], problems: [] }), []);
  });

  it('has only the problems where nothing can be sent', () => {
    assert.deepEqual(postureLines({ label: 'audit', short: 'audit', headers, problems: ['It conflicts.'] }), [
      'It conflicts.',
    ]);
  });
});
