import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ToolCall } from '../../../../src/client/chat.ts';
import { chatBody } from '../../../../src/client/chatBody.ts';
import type { Attachment } from '../../../../src/send/message/attachment.ts';
import type { OutgoingMessage } from '../../../../src/send/outgoing.ts';
import { validMessages } from '../../../../src/send/wire/validMessages.ts';
import { parseChatBody } from '../../../service/chatBody.ts';
import { HttpError } from '../../../service/httpError.ts';
import { refuseUnlessStrict } from '../../../service/strict.ts';

const user = (...parts: string[]): OutgoingMessage => ({ role: 'user', parts, secrets: 'mask' });
const assistant = (text: string, ...ids: string[]): OutgoingMessage => ({
  role: 'assistant',
  parts: [text],
  secrets: 'mask',
  ...(ids.length === 0 ? {} : { toolCalls: ids.map((id) => ({ id, name: 'look', input: { at: 'it' } })) }),
});
const result = (id: string, text = 'seen'): OutgoingMessage => ({
  role: 'tool',
  parts: [text],
  secrets: 'mask',
  label: 'look',
  toolCallId: id,
});
const system = (text: string): OutgoingMessage => ({ role: 'system', parts: [text], secrets: 'mask' });

/** A request as it leaves. */
function wire(messages: readonly OutgoingMessage[], offersTools: boolean) {
  const sent = validMessages(messages, offersTools).map(([first, ...more]) => {
    const all = [first, ...more];
    const calls: readonly ToolCall[] = all.flatMap(({ toolCalls = [] }) => toolCalls);
    return {
      role: first.role,
      content: all.flatMap(({ parts }) => parts.map(textOf)).join('\n\n'),
      ...(calls.length === 0 ? {} : { toolCalls: calls }),
      ...(first.toolCallId === undefined ? {} : { toolCallId: first.toolCallId }),
    };
  });
  const tools = [{ name: 'look', description: '', schema: { type: 'object', properties: {} } }];
  return {
    sent,
    body: chatBody({
      ...{ model: 'm', messages: sent, maxTokens: null, temperature: null, stream: false },
      ...(offersTools ? { offer: { tools, choice: 'auto' as const } } : {}),
    }),
  };
}

function textOf(part: string | Attachment): string {
  return typeof part === 'string' ? part : part.text;
}

/** What the local service's strict mode says of it; null if it takes it. */
function refusal(body: string): string | null {
  const json: unknown = JSON.parse(body);
  const request = { headers: { 'content-type': 'application/json' }, body, json };
  try {
    refuseUnlessStrict(parseChatBody(request as never), json, ['roles', 'tools']);
    return null;
  } catch (error) {
    assert.ok(error instanceof HttpError);
    return error.message;
  }
}

function shown(messages: readonly OutgoingMessage[], offersTools = true): readonly string[] {
  const { sent, body } = wire(messages, offersTools);
  assert.equal(refusal(body), null);
  return sent.map(({ role, content, toolCalls = [], toolCallId }) =>
    [role, toolCalls.map(({ id }) => `+${id}`).join(''), toolCallId ?? '', content]
      .filter((one) => one !== '')
      .join(' '),
  );
}

describe('messages that every service takes', () => {
  it('are left as they are if they are valid', () => {
    const messages = [
      user('Look'),
      assistant('Well.', 'a', 'b'),
      result('a'),
      result('b'),
      assistant('So.'),
      user('Ok'),
    ];
    assert.deepEqual(validMessages(messages, true).flat(), messages);
    assert.ok(validMessages(messages, true).every(([first], index) => first === messages[index]));
  });

  it('have calls and results as text where no tools are offered', () => {
    const messages = [user('Look'), assistant('Well.', 'a', 'b'), result('a', 'A'), result('b', 'B')];
    assert.deepEqual(shown(messages, false), [
      'user Look',
      'assistant Well.\n\n[called look]\nat: it\n\n[called look]\nat: it',
      'user [result of look]\n\nA\n\n[result of look]\n\nB',
    ]);
  });

  it('join two messages of one role, as after a call that was cut', () => {
    assert.deepEqual(shown([user('Look'), user('Your call was cut off.')]), ['user Look\n\nYour call was cut off.']);
    assert.deepEqual(shown([user('Look'), assistant('One'), assistant('two', 'a'), result('a')]), [
      'user Look',
      'assistant +a One\n\ntwo',
      'tool a seen',
    ]);
  });

  it('put a result behind its call, whatever stood between, and an answer between a result and the user', () => {
    assert.deepEqual(shown([user('Look'), assistant('', 'a'), user('Hurry'), result('a')]), [
      'user Look',
      'assistant +a',
      'tool a seen',
      'assistant [The answer ended here.]',
      'user Hurry',
    ]);
    assert.deepEqual(shown([user('Look'), assistant('', 'a'), result('a'), user('Shorter')]).slice(2), [
      'tool a seen',
      'assistant [The answer ended here.]',
      'user Shorter',
    ]);
    assert.deepEqual(shown([user('Look'), assistant('', 'a'), assistant('', 'b'), result('b'), result('a')]), [
      'user Look',
      'assistant +a',
      'tool a seen',
      'assistant +b',
      'tool b seen',
    ]);
  });

  it('have a result for each call, and no result without one', () => {
    assert.deepEqual(shown([user('Look'), assistant('', 'a', 'b'), result('b'), result('c', 'lost')]), [
      'user Look',
      'assistant +a+b',
      'tool a [This call has no result.]',
      'tool b seen',
      'assistant [The answer ended here.]',
      'user [result of look]\n\nlost',
    ]);
    assert.deepEqual(shown([result('a', 'first'), user('Look')]), ['user [result of look]\n\nfirst\n\nLook']);
  });

  it('have no id twice: a result is for the last call with its id', () => {
    const again = [user('Look'), assistant('', 'a'), assistant('', 'a'), result('a', 'second')];
    assert.deepEqual(shown(again), [
      'user Look',
      'assistant +a',
      'tool a [This call has no result.]',
      'assistant +a_2',
      'tool a_2 second',
    ]);
    assert.deepEqual(shown([user('Look'), assistant('', '', ''), result('', 'x'), result('', 'y')]), [
      'user Look',
      'assistant +call+call_2',
      'tool call x',
      'tool call_2 y',
    ]);
  });

  it('begin with the system and the user, and end with the user or a tool', () => {
    assert.deepEqual(shown([system('Be'), system('brief'), assistant('Hi'), system('Now'), user('Look')]), [
      'system Be\n\nbrief',
      'user [The conversation begins with an answer.]',
      'assistant Hi',
      'user Now\n\nLook',
    ]);
    assert.deepEqual(shown([user('Look'), assistant('I')]).at(-1), 'user [Go on.]');
    assert.deepEqual(shown([system('Only')]), ['user Only']);
    assert.deepEqual(shown([user('Look'), assistant(''), user('And?')]), ['user Look\n\nAnd?']);
    assert.deepEqual(validMessages([], true), []);
  });

  it('are taken by the strict service for any conversation, and nothing that was said is lost', () => {
    const text = fc.stringMatching(/^[a-z]{4,6}$/);
    const id = fc.constantFrom('a', 'b', 'c', '');
    const message = fc.oneof(
      text.map((words) => user(words)),
      text.map(system),
      fc.tuple(fc.oneof(fc.constant(''), text), fc.array(id, { maxLength: 3 })).map(([w, ids]) => assistant(w, ...ids)),
      fc.tuple(id, text).map(([one, words]) => result(one, words)),
    );
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 14 }), fc.boolean(), (messages, offersTools) => {
        // A request with nothing but an empty answer is not made.
        fc.pre(messages.some(({ parts, toolCalls = [] }) => parts.some((part) => part !== '') || toolCalls.length > 0));
        const { sent, body } = wire(messages, offersTools);
        assert.equal(refusal(body), null);
        const all = sent.map(({ content }) => content).join('\n');
        for (const { parts } of messages) for (const part of parts) assert.ok(all.includes(textOf(part)));
        const calls = messages.flatMap(({ toolCalls = [] }) => toolCalls).length;
        const kept = offersTools
          ? sent.flatMap(({ toolCalls = [] }) => toolCalls).length
          : (all.match(/\[called look\]/g) ?? []).length;
        assert.equal(kept, calls);
        // What is valid stays as it is.
        const again = validMessages(validMessages(messages, offersTools).flat(), offersTools);
        assert.deepEqual(again, validMessages(messages, offersTools));
      }),
      { numRuns: 2000 },
    );
  });
});
