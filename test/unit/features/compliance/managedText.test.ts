import assert from 'node:assert/strict';
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
});
