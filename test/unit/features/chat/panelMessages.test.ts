import assert from 'node:assert/strict';
import type { Card } from '../../../../src/protocol/card.ts';
import { hostModule } from '../../../tools/hostModule.ts';

describe('a message of the panel about what still applies', () => {
  it('gets new words, stays closed once it was closed, and is shown again for another topic', async () => {
    const { PanelMessages } = await hostModule<typeof import('../../../../src/features/chat/vscode/panelMessages.ts')>(
      'src/features/chat/vscode/panelMessages.ts',
      'en',
    );
    const messages = new PanelMessages();
    const titles = (): readonly string[] => messages.shown.map(({ card }) => card.title);
    const keep = (title: string | null, topic?: string): readonly string[] => {
      const card: Card | null = title === null ? null : { severity: 'info', title, actions: [] };
      messages.keep('limit', card, topic);
      return titles();
    };
    assert.deepEqual(keep(null), []);
    assert.deepEqual(keep('80 of 100', 'today'), ['80 of 100']);
    assert.deepEqual(keep('90 of 100', 'today'), ['90 of 100']);
    messages.dismiss('limit');
    assert.deepEqual(keep('95 of 100', 'today'), []);
    assert.deepEqual(keep('80 of 100', 'tomorrow'), ['80 of 100']);
    assert.deepEqual(keep(null), []);
    assert.deepEqual(keep('85 of 100', 'tomorrow'), ['85 of 100']);
    assert.deepEqual(keep(null), []);
    assert.deepEqual(keep('without a topic'), ['without a topic']);
  });
});
