import assert from 'node:assert/strict';
import type { Mode } from '../../../src/protocol/mode.ts';
import type { Turn } from '../../../src/session/conversation/turn.ts';
import { changeRules, houseRules, planRules } from '../../../src/session/prompts/houseRules.ts';
import { Session } from '../../../src/session/session.ts';
import type { SessionEvent } from '../../../src/session/sessionEvent.ts';
import { FakeDispatch } from './fakeDispatch.ts';
import { FakeToolbox } from './fakeToolbox.ts';

const question = { action: 'chat', prompt: 'Rename pay', attachments: [] } as const;

function start() {
  const fake = new FakeDispatch();
  const tools = new FakeToolbox();
  const allowed = new Set<Mode>(['ask', 'plan', 'change']);
  const session = new Session(fake.dispatch, tools.source, undefined, undefined, (mode) => allowed.has(mode));
  const events: SessionEvent['type'][] = [];
  session.onDidChange(({ type }) => events.push(type));
  /** Runs a request to its end, and returns its turn. */
  const ended = async (run: Promise<Turn | undefined>, text = 'Done.'): Promise<Turn> => {
    fake.send({ type: 'text-delta', text });
    fake.end();
    return (await run) ?? assert.fail('nothing was asked');
  };
  const rules = () => fake.sent.at(-1)?.messages[0]?.lead;
  return { fake, tools, session, allowed, events, ended, rules };
}

describe('session: the mode of a question', () => {
  it('is Ask unless the user chooses another one, which decides the tools and the rules of the request', async () => {
    const { tools, session, events, ended, rules } = start();
    const asked = await ended(session.ask(question));
    assert.deepEqual([asked.question.mode, tools.modes.at(-1), rules()], [undefined, 'ask', [houseRules]]);
    session.selectMode('plan');
    assert.equal(events.at(-1), 'mode-changed');
    const planned = await ended(session.ask(question));
    assert.deepEqual([planned.question.mode, tools.modes.at(-1), rules()], ['plan', 'plan', [houseRules, planRules]]);
    session.selectMode('change');
    const changed = await ended(session.ask(question));
    assert.deepEqual([changed.question.mode, tools.modes.at(-1)], ['change', 'change']);
    assert.deepEqual(rules(), [houseRules, changeRules]);
    const { length } = events;
    session.selectMode('change');
    assert.equal(events.length, length);
  });

  it('has no rules for changes without the tools that propose them', async () => {
    const { tools, session, ended, rules } = start();
    tools.isOn = false;
    session.selectMode('change');
    await ended(session.ask(question));
    assert.deepEqual(rules(), [houseRules]);
    session.selectMode('plan');
    await ended(session.ask(question));
    assert.deepEqual(rules(), [houseRules, planRules]);
  });

  it('does not change while the answer comes, nor for the rest of the answer', async () => {
    const { fake, tools, session, rules } = start();
    tools.mustAsk = false;
    session.selectMode('plan');
    const running = session.ask(question);
    fake.send({ type: 'text-delta', text: 'First,' });
    fake.send({ type: 'tool-call', call: { id: '1', name: 'look', input: {} } });
    session.selectMode('change');
    fake.end();
    fake.send({ type: 'text-delta', text: 'then' }, { type: 'finish', finishReason: 'length' });
    fake.end();
    const { id } = await running;
    assert.deepEqual(tools.modes, ['plan', 'plan']);
    assert.deepEqual(rules(), [houseRules, planRules]);
    const rest = session.continue(id);
    fake.send({ type: 'text-delta', text: 'second.' });
    fake.end();
    assert.equal((await rest)?.question.mode, 'plan');
    assert.equal(tools.modes.at(-1), 'plan');
  });

  it('is the selected one when a question is asked again or edited, and stays with each branch', async () => {
    const { tools, session, ended } = start();
    session.selectMode('change');
    const { id } = await ended(session.ask(question));
    session.selectMode('plan');
    assert.equal((await ended(session.retry(id))).question.mode, 'plan');
    session.selectMode('ask');
    const again = await ended(session.retry(id));
    assert.deepEqual([again.question.mode, tools.modes.at(-1)], [undefined, 'ask']);
    session.selectMode('change');
    const edited = await ended(session.edit(id, { ...question, prompt: 'Rename charge' }));
    assert.equal(edited.question.mode, 'change');
    session.showBranch(id);
    assert.deepEqual([session.conversation.turns.at(-1)?.question.mode, session.mode], [undefined, 'change']);
  });

  it('is Ask for a command with a prompt of its own, and the selected one for a prompt of the workspace', async () => {
    const { session, ended } = start();
    session.selectMode('change');
    const fix = { ...question, command: { name: 'fix', text: 'Correct it.' } };
    assert.equal((await ended(session.ask(fix))).question.mode, undefined);
    const explain = { ...question, action: 'explain' } as const;
    assert.equal((await ended(session.ask(explain))).question.mode, undefined);
    const prompt = { ...question, command: { name: 'audit', text: 'Find it.', folder: 'file:///one' } };
    assert.equal((await ended(session.ask(prompt))).question.mode, 'change');
  });

  it('is previewed and measured as it would be asked', async () => {
    const { fake, tools, session } = start();
    session.selectMode('plan');
    await session.preview(question);
    assert.deepEqual(fake.previewed.at(-1)?.messages[0]?.lead, [houseRules, planRules]);
    await session.measure(question);
    assert.deepEqual(tools.modes, ['plan', 'plan']);
  });

  it('is kept with the conversation; a new one takes the last choice of the window', async () => {
    const { session, ended } = start();
    await ended(session.ask(question));
    const first = session.conversation;
    session.newConversation();
    assert.equal(session.mode, 'ask');
    session.selectMode('change');
    await ended(session.ask(question));
    const second = session.conversation;
    session.newConversation();
    assert.equal(session.mode, 'change');
    session.open(first);
    assert.equal(session.mode, 'ask');
    session.newConversation();
    assert.equal(session.mode, 'change');
    session.open(second);
    assert.equal(session.mode, 'change');
    session.selectMode('ask');
    session.newConversation();
    assert.equal(session.mode, 'ask');
  });

  it('is Ask while the selected one is not allowed', async () => {
    const { session, allowed, ended } = start();
    session.selectMode('change');
    allowed.delete('change');
    assert.equal(session.mode, 'ask');
    assert.equal((await ended(session.ask(question))).question.mode, undefined);
    allowed.add('change');
    assert.equal((await ended(session.ask(question))).question.mode, 'change');
  });
});
