import assert from 'node:assert/strict';
import type { SizeLimits } from '../../../../src/gate/limits.ts';
import { defaultLimits } from '../../../../src/gate/limits.ts';
import type { MessageLimit } from '../../../../src/protocol/panelEvents.ts';
import type { TurnMeta } from '../../../../src/protocol/turnView.ts';
import type { Turn } from '../../../../src/session/conversation/turn.ts';
import { hostModule } from '../../../tools/hostModule.ts';
import { turnOf } from '../../../tools/turns.ts';

describe('a message of megabytes', () => {
  it('is sent to the page once, and not with each change of its turn', async () => {
    const { viewMeta } = await hostModule<{ viewMeta(turn: Turn): TurnMeta }>(
      'src/features/chat/vscode/turn/viewTurn.ts',
      'en',
    );
    const prompt = 'x'.repeat(3e6);
    for (const status of ['waiting', 'streaming', 'complete'] as const) {
      assert.ok(JSON.stringify(viewMeta(turnOf({ prompt, status }))).length < 1_000);
    }
  });

  it('is answered with the limit and a hint, if it is larger than a request may be', async () => {
    const { messageLimit } = await hostModule<{ messageLimit(limits: SizeLimits): MessageLimit }>(
      'src/features/chat/vscode/question/messageLimit.ts',
      'en',
    );
    const { bytes, words } = messageLimit(defaultLimits);
    assert.equal(bytes, 4_000_000);
    assert.match(words, /3\.8 MB/);
    assert.match(words, /1 MB/);
    assert.match(words, /attach/);
    assert.equal(messageLimit({ requestBytes: 1_000, fileBytes: 500 }).bytes, 1_000);
  });
});
