import assert from 'node:assert/strict';
import { type LocalService, startService } from '../../service/service.ts';
import { chat, errorOf } from './send.ts';

const tool = (parameters: unknown) => ({ type: 'function', function: { name: 'look', description: '', parameters } });
const call = (id: string) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } });
const looked = [
  { role: 'user', content: 'Look' },
  { role: 'assistant', content: '', tool_calls: [call('a')] },
  { role: 'tool', content: 'seen', tool_call_id: 'a' },
];
const tools = [tool({ type: 'object', properties: {} })];

describe('local service: strict', () => {
  let service: LocalService;
  beforeEach(async () => {
    service = await startService();
  });
  afterEach(() => service.close());

  /** Null if it is accepted. */
  async function refusal(body: object): Promise<unknown> {
    const reply = await chat(service, 'hello', { ...body });
    return reply.status === 200 ? null : `${reply.status} ${errorOf(reply).param}`;
  }

  it('strict-roles: takes only what the strictest templates take', async () => {
    service.setScenario('strict-roles');
    const user = { role: 'user', content: 'Hi' };
    const assistant = { role: 'assistant', content: 'Yes' };
    const system = { role: 'system', content: 'Be brief' };
    for (const messages of [[user], [system, user], [user, assistant, user]]) {
      assert.equal(await refusal({ messages }), null);
    }
    assert.equal(await refusal({ messages: looked, tools }), null);
    assert.equal(await refusal({ messages: [...looked, assistant, user], tools }), null);
    for (const [messages, at] of [
      [[user, user], 1],
      [[assistant, user], 0],
      [[user, system], 1],
      [[user, assistant, assistant, user], 2],
      [[{ role: 'user', content: '' }], 0],
    ] as const)
      assert.equal(await refusal({ messages }), `400 messages[${at}]`);
    assert.equal(await refusal({ messages: [user, assistant] }), '400 messages');
    assert.equal(await refusal({ messages: [system] }), '400 messages');
    assert.equal(await refusal({ messages: looked }), '400 messages[1]');
    assert.equal(await refusal({ messages: [...looked, user], tools }), '400 messages[3]');
    const twice = [...looked, { ...looked[1] }, { ...looked[2] }];
    assert.equal(await refusal({ messages: twice, tools }), '400 messages[3]');
  });

  it('strict-tools: takes tools as objects with properties, 8 at most', async () => {
    service.setScenario('strict-tools');
    assert.equal(await refusal({ tools }), null);
    for (const parameters of [undefined, {}, { type: 'object' }, { type: 'string', properties: {} }])
      assert.equal(await refusal({ tools: [tool(parameters)] }), '400 tools[0].function.parameters');
    const choice = { type: 'object', properties: {}, oneOf: [] };
    assert.equal(await refusal({ tools: [...tools, tool(choice)] }), '400 tools[1].function.parameters');
    assert.equal(await refusal({ tools: Array(9).fill(tools[0]) }), '400 tools');
  });

  it('strict-parameters: takes no parameter that it does not know', async () => {
    service.setScenario('strict-parameters');
    assert.equal(await refusal({ max_completion_tokens: 9 }), null);
    for (const [name, value] of [
      ['max_tokens', 9],
      ['temperature', 1],
      ['stream_options', {}],
      ['user', 'a'],
    ] as const)
      assert.equal(await refusal({ [name]: value }), `400 ${name}`);
  });

  it('strict-window: counts the answer that is asked for', async () => {
    service.setScenario('strict-window');
    assert.equal(await refusal({ max_tokens: 3000 }), null);
    assert.equal(await refusal({ max_tokens: 4000 }), '400 messages');
    assert.equal((await chat(service, 'word '.repeat(4000))).status, 400);
  });

  it('strict: refuses all of it, or what the settings name', async () => {
    service.setScenario('strict');
    assert.equal(await refusal({ temperature: 1 }), '400 temperature');
    assert.equal(await refusal({ tools: [tool({})] }), '400 tools[0].function.parameters');
    assert.equal(await refusal({ messages: [{ role: 'assistant', content: 'a' }] }), '400 messages[0]');
    service.setScenario('strict', { strictRules: ['roles'], contextTokens: 100 });
    assert.equal(await refusal({ temperature: 1, max_tokens: 9000 }), null);
  });
});
