import assert from 'node:assert/strict';
import { chatBody, readChatBody } from '../../../src/client/chatBody.ts';

describe('the body of a request', () => {
  it('has no half of a surrogate pair, which services refuse, and whole characters as they are', () => {
    const cut = 'half \ud83d, whole 😀, \udc00 and \\ud83d';
    const body = chatBody({
      model: 'svc/auto',
      stream: true,
      asksUsage: true,
      maxTokens: null,
      temperature: null,
      messages: [
        { role: 'user', content: cut },
        { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'search_text', input: { query: cut } }] },
        { role: 'tool', content: cut, toolCallId: 'a' },
      ],
      offer: { tools: [{ name: 'search_text', description: cut, schema: { title: cut } }], choice: 'auto' },
    });
    const whole = 'half \ufffd, whole 😀, \ufffd and \\ud83d';
    const { messages, tools } = readChatBody(body);
    const { description, parameters } = tools?.[0]?.function ?? {};
    assert.deepEqual([messages[0]?.content, messages[2]?.content, description], [whole, whole, whole]);
    assert.equal(Object(parameters).title, whole);
    assert.deepEqual(JSON.parse(messages[1]?.tool_calls?.[0]?.function.arguments ?? ''), { query: whole });
  });
});
