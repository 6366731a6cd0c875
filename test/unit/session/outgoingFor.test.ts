import assert from 'node:assert/strict';
import type { Turn } from '../../../src/session/conversation/conversation.ts';
import { outgoingFor, toolQuestion } from '../../../src/session/conversation/outgoingFor.ts';
import type { Toolbox } from '../../../src/session/tools/toolbox.ts';
import { attachment } from './attachment.ts';
import { FakeToolbox } from './fakeToolbox.ts';

const asked: Turn = {
  id: 'now',
  askedAt: 2,
  action: 'chat',
  prompt: 'And now?',
  attachments: [],
  status: 'waiting',
  answer: '',
  model: null,
};
const earlier: Turn = { ...asked, id: 'a', prompt: 'Hello', status: 'complete', answer: 'Hi', secrets: 'mask' };

/** The request for a turn after `before`. */
const outgoing = (turn: Turn, before: readonly Turn[] = [], toolbox: Toolbox | null = null, continues = false) =>
  outgoingFor({ turn, before }, continues, toolbox);

describe('session: the request for a turn', () => {
  it('carries the earlier turns that have an answer, and their sources', () => {
    const unanswered: Turn = {
      ...earlier,
      id: 'b',
      prompt: 'Lost',
      answer: '',
      attachments: [inFolder('file:///lost')],
    };
    const answered: Turn = { ...earlier, attachments: [inFolder('file:///one')] };
    const { messages, folders, action, modelKey } = outgoing(asked, [answered, unanswered]);
    assert.deepEqual(
      messages.map(({ role, parts }) => [role, parts[0]]),
      [
        ['user', 'Hello'],
        ['assistant', 'Hi'],
        ['user', 'And now?'],
      ],
    );
    assert.deepEqual([folders, action, modelKey], [['file:///one'], 'chat', 'svc.model.chat']);
  });

  it('names the origin of the last request before it, its own included', () => {
    const sent = (id: string, origin: string): Turn => ({ ...earlier, id, origin });
    assert.equal(outgoing(asked).cameFrom, undefined);
    assert.equal(outgoing(asked, [sent('a', 'https://one.test'), earlier]).cameFrom, 'https://one.test');
    const again: Turn = { ...asked, origin: 'https://two.test' };
    assert.equal(outgoing(again, [sent('a', 'https://one.test')]).cameFrom, 'https://two.test');
  });

  it('counts the origin of an unanswered turn', () => {
    const failed: Turn = { ...earlier, answer: '', origin: 'https://two.test' };
    assert.equal(outgoing(asked, [{ ...earlier, origin: 'https://one.test' }, failed]).cameFrom, 'https://two.test');
  });

  it('offers tools unless there are none or the model declined them', async () => {
    const tools = new FakeToolbox();
    const open = async () => outgoing(asked, [], await tools.source(toolQuestion({ turn: asked, before: [] }))).offer;
    assert.equal((await open())?.tools[0]?.name, 'look');
    tools.isDeclined = true;
    assert.equal(await open(), undefined);
    tools.isOn = false;
    assert.equal(await open(), undefined);
  });

  it('has the model and folder that a prompt of the workspace sets, for its tools too', () => {
    const command = { name: 'audit', text: 'Find it.', model: 'svc/one', folder: 'file:///one' };
    const about = {
      modelKey: 'svc.model.chat',
      folders: ['file:///one'],
      askedModel: { model: 'svc/one', prompt: 'audit' },
    };
    const turn: Turn = { ...asked, command };
    assert.deepEqual(toolQuestion({ turn, before: [] }), about);
    const { messages, action, ...rest } = outgoing(turn);
    assert.deepEqual([messages[0]?.parts, action, rest], [['Find it.'], 'chat', about]);
  });

  it('asks for the rest of an answer only if the turn continues', () => {
    const broken: Turn = { ...asked, answer: 'One, ' };
    const roles = (continues: boolean) => outgoing(broken, [], null, continues).messages.map(({ role }) => role);
    assert.deepEqual(roles(true), ['user', 'assistant', 'user']);
    assert.deepEqual(roles(false), ['user']);
  });
});

function inFolder(folder: string) {
  return attachment({ folder, covers: [{ uri: `${folder}/a.ts`, folder }] });
}
