import assert from 'node:assert/strict';
import { hostModule } from '../../../tools/hostModule.ts';

const words = (language: 'en' | 'de') =>
  hostModule<typeof import('../../../../src/features/audit/vscode/signingWords.ts')>(
    'src/features/audit/vscode/signingWords.ts',
    language,
  );

describe('the words about what is signed of the audit log', () => {
  it('say how many lines are not signed, and why', async () => {
    const { unsignedWords } = await words('en');
    const said = (['signing', 'failed', 'impossible'] as const).map((state) =>
      unsignedWords({ unsigned: 1200, state }),
    );
    assert.deepEqual(said, [
      'Lines of this window that are not signed yet: 1,200. They are signed within 5 minutes.',
      'Signing failed and is tried again. Lines of this window that are not signed yet: 1,200.',
      'This build of VS Code cannot sign with Ed25519: the log continues, but is not signed.',
    ]);
    assert.equal(unsignedWords({ unsigned: 0, state: 'signing' }), '');
    assert.match(unsignedWords({ unsigned: 0, state: 'failed' }), /^Signing failed/);
  });

  it('say what a ledger that was put back means, and what to do', async () => {
    assert.match((await words('en')).rolledBackWords(), /put back .* key is not used again.* Export the evidence/);
    assert.match((await words('de')).rolledBackWords(), /Hauptbuch/);
  });
});
