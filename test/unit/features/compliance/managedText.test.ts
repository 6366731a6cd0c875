import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { hostModule } from '../../../tools/hostModule.ts';
import { inForceFrom } from '../../../tools/managedPolicy.ts';

describe('the managed policy as text', () => {
  it('has the names of the headers for a collector, and none of their values', async () => {
    const { managedText } = await hostModule<
      typeof import('../../../../src/features/compliance/vscode/managedText.ts')
    >('src/features/compliance/vscode/managedText.ts', 'en');
    const otlp = { url: 'https://svc.example.com/v1/logs', headers: { Authorization: 'Bearer geheim' } };
    const text = managedText(inForceFrom({ evidence: { otlp, required: true } }), 'p');
    assert.doesNotMatch(text, /geheim/);
    assert.match(text, /"Authorization": "…"/);
    assert.match(text, /svc\.example\.com\/v1\/logs/);
  });

  it('names the source, the size and the digest of the organization’s instructions', async () => {
    const { managedText } = await hostModule<
      typeof import('../../../../src/features/compliance/vscode/managedText.ts')
    >('src/features/compliance/vscode/managedText.ts', 'en');
    const row = /^Instructions of the organization: policy\.json, 4 bytes, SHA-256 ([0-9a-f]{64})$/m;
    const [, digest] = row.exec(managedText(inForceFrom({ instructions: 'Hey!' }), 'p')) ?? [];
    assert.equal(digest, createHash('sha256').update('Hey!').digest('hex'));
    assert.doesNotMatch(managedText(inForceFrom({}), 'p'), /Instructions/);
    const source = { url: 'https://svc.example.com/svc.txt', publicKeys: [`svc+0123abcd+${'A'.repeat(44)}`] };
    const delivered = managedText(inForceFrom({ instructions: 'Hey!', source }), 'p');
    assert.match(delivered, /^Instructions .*: policy\.json, https:\/\/svc\.example\.com\/svc\.txt, 4 bytes, /m);
    const limits = { requestsPerDay: 500, tokensPerDay: 2_000_000 };
    const text = managedText(inForceFrom({ limits, identity: 'account', evidence: { keepDays: 2200 } }), 'p');
    assert.match(text, /^The managed policy sets how long the logs of closed windows are kept: 2,200 days\.$/m);
    assert.match(text, /^Requests of each user of this machine in a day: at most 500$/m);
    assert.match(text, /^Tokens of each user of this machine in a day: at most 2,000,000$/m);
    assert.match(text, /^Each record of the audit log names the user: account$/m);
    assert.doesNotMatch(managedText(inForceFrom({ identity: 'none' }), 'p'), /in a day|names the user|are kept/);
  });

  it('names the file of the machine, and the address whose policy cannot be used', async () => {
    const { managedText } = await hostModule<
      typeof import('../../../../src/features/compliance/vscode/managedText.ts')
    >('src/features/compliance/vscode/managedText.ts', 'en');
    const path = '/etc/svc/policy.json';
    const broken = (file: string) =>
      managedText({ state: 'broken', file, problem: { reason: 'unknown-version', found: '2' } }, path).split('\n');
    const [title = '', ...words] = broken(path);
    assert.equal(words[0], path);
    const url = 'https://policy.example.com/svc.txt';
    assert.deepEqual(broken(url), [title, path, url, ...words.slice(1)]);
  });
});
