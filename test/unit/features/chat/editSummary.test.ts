import assert from 'node:assert/strict';
import { panelShapes } from '../../../../src/features/chat/vscode/calls.ts';
import { maxSummaryChars } from '../../../../src/protocol/panelEvents.ts';
import type { Conversation } from '../../../../src/session/conversation/conversation.ts';
import { Session } from '../../../../src/session/session.ts';
import { hostModule } from '../../../tools/hostModule.ts';
import { turnOf } from '../../../tools/turns.ts';
import { FakeDispatch } from '../../session/fakeDispatch.ts';

const { editSummary, undoSummary } = await hostModule<
  typeof import('../../../../src/features/chat/vscode/turn/editSummary.ts')
>('src/features/chat/vscode/turn/editSummary.ts', 'en');

const summarized: Conversation = {
  ...{ id: 'c', createdAt: 1 },
  turns: ['a', 'b'].map((id) =>
    turnOf({
      ...{ id, prompt: 'Why?', answer: 'A', model: 'm', parent: id === 'a' ? null : 'a' },
      ...(id === 'a' ? { summary: { text: 'old', turns: 1, model: 'm' } } : {}),
    }),
  ),
};

describe('host: a summary', () => {
  const start = () => {
    const fake = new FakeDispatch();
    const session = new Session(fake.dispatch);
    session.open(summarized);
    return { fake, session, text: () => session.conversation.turns[0]?.summary?.text };
  };

  it('is edited and undone', () => {
    const { session, text } = start();
    editSummary(session, { turnId: 'a', text: 'new' });
    assert.equal(text(), 'new');
    undoSummary(session, 'a');
    assert.equal(text(), undefined);
    assert.throws(() => undoSummary(session, 'a'), /no longer in use/);
  });

  it('stays as it is if the text is empty, the turn has none, or an answer comes', async () => {
    const { fake, session, text } = start();
    assert.throws(() => editSummary(session, { turnId: 'a', text: ' \n' }), /The summary is empty/);
    assert.throws(() => editSummary(session, { turnId: 'b', text: 'new' }), /no longer in use/);
    const asked = session.ask({ action: 'chat', prompt: 'And?', attachments: [] });
    assert.throws(() => editSummary(session, { turnId: 'a', text: 'new' }), /Wait until the current answer/);
    assert.throws(() => undoSummary(session, 'a'), /Wait until the current answer/);
    fake.end();
    await asked;
    assert.equal(text(), 'old');
  });

  it('has a limited length', () => {
    const isTaken = (length: number) =>
      panelShapes.editSummary.safeParse({ turnId: 'a', text: 'x'.repeat(length) }).success;
    assert.deepEqual([isTaken(maxSummaryChars), isTaken(maxSummaryChars + 1)], [true, false]);
  });
});
