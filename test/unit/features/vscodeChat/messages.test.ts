import assert from 'node:assert/strict';
import { outgoingMessages, textOfMessage } from '../../../../src/features/vscodeChat/vscode/messages.ts';
import { isServiceError } from '../../../../src/util/errors.ts';

const labels = { instructions: 'instructions' };
const text = (value: string) => ({ value });
const call = (callId: string, name: string, input: unknown) => ({ callId, name, input });
const result = (callId: string, ...content: unknown[]) => ({ callId, content });
const user = (...content: unknown[]) => ({ role: 1, content });
const assistant = (...content: unknown[]) => ({ role: 2, content });
const refuses = (code: string) => (error: unknown) => isServiceError(error) && error.code === code;

describe('messages of VS Code', () => {
  it('keep their roles, including the system role 3, and their complete text', () => {
    assert.deepEqual(
      outgoingMessages([{ role: 3, content: [text('Be brief.')] }, user(text('Hel'), text('lo'))], labels),
      [
        { role: 'system', parts: ['Be brief.'], secrets: 'ask', label: 'instructions' },
        { role: 'user', parts: ['Hello'], secrets: 'ask' },
      ],
    );
  });

  it('become calls and results, each result before the text of its message', () => {
    const sent = outgoingMessages(
      [
        user(text('Read both')),
        assistant(text('I look.'), call('c1', 'read_file', { path: 'a' }), call('c2', 'read_file', { path: 'b' })),
        user(text('and then?'), result('c1', text('A')), result('c2', text('B'))),
      ],
      labels,
    );
    assert.deepEqual(sent, [
      { role: 'user', parts: ['Read both'], secrets: 'mask' },
      {
        role: 'assistant',
        parts: ['I look.'],
        secrets: 'mask',
        toolCalls: [
          { id: 'c1', name: 'read_file', input: { path: 'a' } },
          { id: 'c2', name: 'read_file', input: { path: 'b' } },
        ],
      },
      { role: 'tool', parts: ['A'], secrets: 'ask', label: 'read_file', toolCallId: 'c1' },
      { role: 'tool', parts: ['B'], secrets: 'ask', label: 'read_file', toolCallId: 'c2' },
      { role: 'user', parts: ['and then?'], secrets: 'ask' },
    ]);
  });

  it('ask about new secrets, and not again in each round', () => {
    const sent = outgoingMessages([user(text('1')), assistant(text('2')), user(text('3'))], labels);
    assert.deepEqual(
      sent.map(({ secrets }) => secrets),
      ['mask', 'mask', 'ask'],
    );
  });

  it('an empty answer with calls is kept, an empty message is dropped', () => {
    const sent = outgoingMessages([user(text('')), assistant(call('c1', 'list', {})), user(result('c1'))], labels);
    assert.deepEqual(
      sent.map(({ role, parts }) => [role, parts]),
      [
        ['assistant', ['']],
        ['tool', ['']],
      ],
    );
  });

  it('results are read as text, including VS Code’s prompt elements', () => {
    const tree = {
      value: {
        node: {
          type: 1,
          children: [
            { type: 2, text: 'line 1' },
            { type: 2, text: 'line 2', lineBreakBefore: true },
          ],
        },
      },
    };
    const json = { mimeType: 'application/json', data: new TextEncoder().encode('{"a":1}') };
    const [message] = outgoingMessages([user(result('c1', tree, text('end'), json))], labels);
    assert.deepEqual(message?.parts, ['line 1\nline 2\nend\n{"a":1}']);
  });

  it('results keep their text if another part is not text, and name that part', () => {
    const data = (mimeType: string, words: string | Uint8Array = 'words') => ({
      mimeType,
      data: typeof words === 'string' ? new TextEncoder().encode(words) : words,
    });
    const parts = (...content: readonly unknown[]) =>
      outgoingMessages([user(result('c1', ...content))], labels)[0]?.parts;
    for (const type of [
      'text/plain',
      'TEXT/PLAIN',
      'text/html; charset=utf-8',
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
      'application/xml',
      'image/svg+xml',
      'application/problem+json',
      'application/vnd.code.resource-link+json',
      'application/x-ndjson',
      'application/yaml',
      'text/plain; charset=nobody-knows',
    ])
      assert.deepEqual(parts(data(type)), ['words'], type);
    assert.deepEqual(parts(data('text/plain; charset=latin1', new Uint8Array([0xe4]))), ['ä']);
    for (const type of ['image/png', 'audio/wav', 'application/pdf', 'application/octet-stream', 'application/vnd.x'])
      assert.deepEqual(parts(text('It ran.'), data(type), text('End.')), [
        `It ran.\n[left out: ${type}, 5 bytes. Only text can be sent.]\nEnd.`,
      ]);
    assert.deepEqual(parts({ mimeType: 'image/png\n](x)', data: null }), [
      '[left out: image/pngx. Only text can be sent.]',
    ]);
    assert.deepEqual(parts(data('')), ['[left out: data, 5 bytes. Only text can be sent.]']);
    assert.deepEqual(parts({ mimeType: 'text/plain', data: 'no bytes' }), [
      '[left out: text/plain. Only text can be sent.]',
    ]);
    assert.deepEqual(parts(data('cache_control')), ['']);
  });

  it('a tree that is too deep is not read', () => {
    const deep = { value: { node: Array.from({ length: 5000 }).reduce((inner) => ({ node: inner }), {}) } };
    assert.deepEqual(outgoingMessages([user(result('c1', deep))], labels)[0]?.parts, ['']);
  });

  it('images and other data are rejected outside of results; metadata and thinking parts are dropped', () => {
    const image = { mimeType: 'image/png', data: new Uint8Array(3) };
    assert.throws(() => outgoingMessages([user(text('See'), image)], labels), refuses('no-images'));
    const pdf = { mimeType: 'application/pdf', data: new Uint8Array(3) };
    assert.throws(() => outgoingMessages([user(pdf)], labels), refuses('no-data'));
    assert.throws(() => outgoingMessages([user({ what: 1 })], labels), refuses('unknown-part'));
    assert.throws(() => outgoingMessages([{ role: 9, content: [] }], labels), refuses('unknown-part'));
    const cache = { mimeType: 'cache_control', data: new Uint8Array(3) };
    const thought = { value: 'hm', id: undefined, metadata: undefined };
    const [message] = outgoingMessages([assistant(thought, text('Yes'), cache)], labels);
    assert.deepEqual(message?.parts, ['Yes']);
  });

  it('have a text for the estimate of their length', () => {
    const message = assistant(text('one'), call('c1', 'read', { path: 'a' }), result('c1', text('two')));
    assert.equal(textOfMessage(message), 'one\n{"path":"a"}\ntwo');
  });
});
