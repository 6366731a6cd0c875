import assert from 'node:assert/strict';
import { LearnedForms } from '../../../../src/send/form/learnedForms.ts';
import type { Outgoing } from '../../../../src/send/outgoing.ts';
import { hostModule } from '../../../tools/hostModule.ts';

type Module = typeof import('../../../../src/features/tools/vscode/viewTools.ts');

describe('the tools button in words', () => {
  it('tells how many tools are on, or that none is and why', async () => {
    const { toolsWords } = await hostModule<Module>('src/features/tools/vscode/viewTools.ts', 'en');
    const none = { reason: '', declinedBy: '' };
    assert.deepEqual(toolsWords({ ...none, count: 4 }), { count: 4, label: 'Tools: 4 on', reason: '' });
    assert.deepEqual(toolsWords({ ...none, count: 0 }), { count: 0, label: 'Tools: off', reason: '' });
    const reason = 'Your administrator has turned this off';
    assert.deepEqual(toolsWords({ ...none, count: 0, reason }), { count: 0, label: 'Tools: off', reason });
    assert.deepEqual(toolsWords({ ...none, count: 4, declinedBy: `a\u202e${'b'.repeat(200)}` }), {
      ...{ count: 0, label: 'Tools: not supported' },
      reason: `Tools are not used: a\\u202e${'b'.repeat(98)}… does not support them.`,
    });
    // Tools that are off are off for every model.
    assert.equal(toolsWords({ ...none, count: 0, declinedBy: 'a' }).label, 'Tools: off');
  });

  it('remembers a model that rejects tools at its address only, and reports it', () => {
    const declined = new LearnedForms();
    let changes = 0;
    declined.onDidChange(() => {
      changes += 1;
    });
    const about = (origin: string, model: string) =>
      ({
        connection: { ok: true, connection: { baseUrl: origin } },
        options: { ok: true, options: { model } },
      }) as Parameters<LearnedForms['known']>[0];
    declined.addNoTools('https://a m', { messages: [] } as unknown as Outgoing);
    assert.deepEqual(
      [about('https://a', 'm'), about('https://b', 'm'), about('https://a', 'n')].map(
        (one) => declined.known(one).withoutTools === 'all',
      ),
      [true, false, false],
    );
    assert.equal(changes, 1);
  });
});
