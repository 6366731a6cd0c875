import assert from 'node:assert/strict';
import { emptyConversation } from '../../../src/session/conversation/conversation.ts';
import { Session } from '../../../src/session/session.ts';
import type { SessionEvent } from '../../../src/session/sessionEvent.ts';
import { FakeDispatch } from './fakeDispatch.ts';

const question = { action: 'chat', prompt: 'Hello', attachments: [] } as const;
const chosen = { model: 'svc/one', isOfConversation: true };

function start() {
  const fake = new FakeDispatch();
  const session = new Session(fake.dispatch);
  const events: SessionEvent['type'][] = [];
  session.onDidChange(({ type }) => events.push(type));
  const asked = async (given: Parameters<Session['ask']>[0] = question) => {
    const end = session.ask(given);
    fake.end();
    await end;
    return fake.sent.at(-1)?.askedModel;
  };
  return { fake, session, events, asked };
}

describe('session: the model of a conversation', () => {
  it('is asked for by its questions, repeated and continued ones, and by the preview', async () => {
    const { fake, session, events, asked } = start();
    assert.equal(await asked(), undefined);
    session.selectModel('svc/one');
    assert.equal(events.at(-1), 'model-changed');
    assert.equal(session.askedModel?.model, 'svc/one');
    assert.deepEqual(await asked(), chosen);
    const { id } = session.conversation.turns[0] ?? assert.fail();
    const again = session.retry(id);
    fake.end();
    await again;
    assert.deepEqual(fake.sent.at(-1)?.askedModel, chosen);
    await session.preview(question);
    assert.deepEqual(fake.previewed.at(-1)?.askedModel, chosen);
    session.selectModel(null);
    assert.equal(session.askedModel, undefined);
    assert.equal(await asked(), undefined);
  });

  it('gives way to the model of a prompt of the workspace', async () => {
    const { session, asked } = start();
    session.selectModel('svc/one');
    const command = { name: 'audit', text: 'Audit this.', model: 'svc/two' };
    assert.deepEqual(await asked({ ...question, command }), { model: 'svc/two', prompt: 'audit' });
  });

  it('is that of this conversation alone, in all of its branches', async () => {
    const { fake, session, asked } = start();
    session.selectModel('svc/one');
    await asked();
    const first = session.conversation;
    const edited = session.edit(first.turns[0]?.id ?? '', { ...question, prompt: 'Other' });
    fake.end();
    await edited;
    assert.deepEqual(fake.sent.at(-1)?.askedModel, chosen);
    session.newConversation();
    assert.equal(await asked(), undefined);
    session.open(first);
    assert.deepEqual(await asked(), chosen);
  });

  it('is later than the choice before it, even if that was made by a clock that is ahead', () => {
    const { session, events } = start();
    const at = Date.now() + 1e9;
    session.open({ ...emptyConversation(), model: { id: 'svc/one', at } });
    session.selectModel('svc/two');
    assert.deepEqual(session.conversation.model, { id: 'svc/two', at: at + 1 });
    const { length } = events;
    session.selectModel('svc/two');
    assert.equal(events.length, length);
  });
});
