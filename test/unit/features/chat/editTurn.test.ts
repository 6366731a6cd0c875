import assert from 'node:assert/strict';
import { panelShapes } from '../../../../src/features/chat/vscode/calls.ts';
import { Session } from '../../../../src/session/session.ts';
import { hostModule } from '../../../tools/hostModule.ts';
import { attachment } from '../../session/attachment.ts';
import { FakeDispatch } from '../../session/fakeDispatch.ts';

const { editTurn } = await hostModule<typeof import('../../../../src/features/chat/vscode/turn/editTurn.ts')>(
  'src/features/chat/vscode/turn/editTurn.ts',
  'en',
);

const noCommands = () => assert.fail('a command was looked for');

function isOver(session: Session): Promise<void> {
  return new Promise((resolve) =>
    session.onDidChange((event) => {
      if (event.type === 'busy-changed' && !event.busy) resolve();
    }),
  );
}

describe('host: an edited question', () => {
  async function asked(): Promise<{ session: Session; fake: FakeDispatch; turnId: string }> {
    const fake = new FakeDispatch();
    const session = new Session(fake.dispatch);
    const attachments = ['a.ts', 'b.ts', 'c.ts'].map((label) => attachment({ label }));
    const answer = session.ask({ action: 'explain', prompt: 'Explain this code', attachments });
    fake.end();
    return { session, fake, turnId: (await answer).id };
  }

  it('keeps the selected attachments and becomes a chat question', async () => {
    const { session, fake, turnId } = await asked();
    await editTurn(session, noCommands, { turnId, text: 'Only the first', attachments: [0, 2, 9, -1] });
    fake.end();
    const turn = session.conversation.turns[0];
    assert.deepEqual([turn?.question.action, turn?.question.prompt], ['chat', 'Only the first']);
    assert.deepEqual(
      turn?.question.attachments.map(({ label }) => label),
      ['a.ts', 'c.ts'],
    );
  });

  it('keeps its action if only its attachments change', async () => {
    const { session, fake, turnId } = await asked();
    await editTurn(session, noCommands, { turnId, text: 'Explain this code', attachments: [1] });
    fake.end();
    assert.deepEqual(
      session.conversation.turns.map(({ question }) => [question.action, question.attachments.length]),
      [['explain', 1]],
    );
  });

  it('keeps its command if only its attachments change, and is parsed again if the command changes', async () => {
    const fake = new FakeDispatch();
    const session = new Session(fake.dispatch);
    const command = { name: 'fix', text: 'Fix this.' };
    const answer = session.ask({
      action: 'chat',
      prompt: '/fix',
      command,
      attachments: [attachment({ label: 'a.ts' })],
    });
    fake.end();
    const turnId = (await answer).id;
    await editTurn(session, noCommands, { turnId, text: '/fix', attachments: [] });
    const over = isOver(session);
    fake.end();
    await over;
    assert.deepEqual(session.conversation.turns[0]?.question.command, command);
    const asked: [string, unknown][] = [];
    const question = async (text: string, given: unknown) => {
      asked.push([text, given]);
      return { action: 'chat', prompt: text, attachments: [] } as const;
    };
    await editTurn(session, async () => ({ question }), {
      turnId: session.conversation.turns[0]?.id ?? '',
      text: '/docs',
      attachments: [],
    });
    fake.end();
    assert.deepEqual(asked, [['/docs', []]]);
    assert.equal(session.conversation.turns[0]?.question.prompt, '/docs');
  });

  it('is rejected with an error message if it cannot be sent', async () => {
    const { session, fake, turnId } = await asked();
    await assert.rejects(
      editTurn(session, noCommands, { turnId: 'unknown', text: 'x', attachments: [] }),
      /no longer open/,
    );
    await assert.rejects(editTurn(session, noCommands, { turnId, text: ' \n', attachments: [] }), /empty/);
    const running = session.ask({ action: 'chat', prompt: 'x', attachments: [] });
    await assert.rejects(
      editTurn(session, noCommands, { turnId, text: 'x', attachments: [] }),
      /Wait until the current answer is complete/,
    );
    fake.send({ type: 'text-delta', text: 'Hi' });
    fake.end();
    assert.equal((await running).state.status, 'complete');
    assert.equal(session.conversation.hidden, undefined);
  });

  it('is validated like every message of the page', () => {
    assert.equal(panelShapes.edit.safeParse({ turnId: 'a', text: 'x', attachments: [0] }).success, true);
    for (const wrong of [{ turnId: 'a', text: 'x' }, { turnId: 'a', text: 'x', attachments: ['../a'] }, {}])
      assert.equal(panelShapes.edit.safeParse(wrong).success, false);
  });
});
