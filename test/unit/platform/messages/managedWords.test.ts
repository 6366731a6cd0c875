import assert from 'node:assert/strict';
import { hostModule } from '../../../tools/hostModule.ts';

describe('the words about a managed policy that cannot be used', () => {
  it('are loaded when they are needed, and then name the place, the value and what is allowed', async () => {
    const words = await hostModule<typeof import('../../../../src/platform/messages/managedWords.ts')>(
      'src/platform/messages/managedWords.ts',
      'en',
    );
    const problem = {
      reason: 'malformed',
      where: { kind: 'key', path: 'limits.requestsPerDay' },
      found: { kind: 'value', json: '0' },
      allowed: { kind: 'number', isWhole: true, minimum: 1 },
    } as const;
    assert.equal(words.managedProblemWords(problem), '');
    await words.loadManagedWords();
    assert.equal(
      words.managedProblemWords(problem),
      'Found 0 at limits.requestsPerDay. Allowed: an integer of at least 1.',
    );
    assert.equal(
      words.managedProblemWords({ ...problem, allowed: { kind: 'instructions', orNull: true } }),
      'Found 0 at limits.requestsPerDay. Allowed: text of 1 to 8,192 bytes, not only white space, without NUL characters, null.',
    );
  });
});
