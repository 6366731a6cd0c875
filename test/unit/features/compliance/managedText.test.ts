import assert from 'node:assert/strict';
import { parseManagedPolicy } from '../../../../src/policy/managed/parseManagedPolicy.ts';
import { hostModule } from '../../../tools/hostModule.ts';

describe('the managed policy as text', () => {
  it('has the names of the headers for a collector, and none of their values', async () => {
    const { managedText } = await hostModule<
      typeof import('../../../../src/features/compliance/vscode/managedText.ts')
    >('src/features/compliance/vscode/managedText.ts', 'en');
    const otlp = { url: 'https://svc.example.com/v1/logs', headers: { Authorization: 'Bearer geheim' } };
    const parsed = parseManagedPolicy(JSON.stringify({ version: 1, evidence: { otlp, required: true } }));
    assert.ok(parsed.ok);
    const text = managedText({ state: 'in-force', file: 'p', digest: 'd', policy: parsed.policy }, 'p');
    assert.doesNotMatch(text, /geheim/);
    assert.match(text, /"Authorization": "…"/);
    assert.match(text, /svc\.example\.com\/v1\/logs/);
  });
});
