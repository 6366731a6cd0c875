import assert from 'node:assert/strict';
import { type LocalService, startService } from '../../service/service.ts';
import { chat, errorOf, type Reply } from './send.ts';

const readFile = {
  type: 'function',
  function: {
    name: 'read_file',
    description: 'Reads a file.',
    parameters: { type: 'object', properties: { filePath: { type: 'string' } }, required: ['filePath'] },
  },
};

interface Call {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

function wholeCalls(reply: Reply): readonly Call[] {
  const { choices } = reply.json() as { choices: { message: { tool_calls?: Call[] } }[] };
  return choices[0]?.message.tool_calls ?? [];
}

function wholeCall(reply: Reply): Call | undefined {
  return wholeCalls(reply)[0];
}

describe('tools of the local service', () => {
  let service: LocalService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  const ask = (content: string, more: Readonly<Record<string, unknown>> = {}): Promise<Reply> =>
    chat(service, content, { tools: [readFile], ...more });

  it('are called if the prompt asks for their function, with input from the prompt', async () => {
    const reply = await ask('Please read the file src/pay.ts');
    const call = wholeCall(reply);
    assert.equal(call?.function.name, 'read_file');
    assert.deepEqual(JSON.parse(call?.function.arguments ?? ''), { filePath: 'src/pay.ts' });
    const [choice] = reply.json().choices as { finish_reason: string; message: { content: unknown } }[];
    assert.deepEqual([choice?.finish_reason, choice?.message.content], ['tool_calls', null]);
  });

  it('read the files that a renaming names, and then propose an edit of each', async () => {
    const editFile = { type: 'function', function: { name: 'edit_file', description: '', parameters: {} } };
    const tools = [readFile, editFile];
    const messages: object[] = [{ role: 'user', content: 'Rename `total` to `sum` in `src/a.ts` and test/a.test.ts.' }];
    const edit = { oldString: 'total', newString: 'sum', replaceAll: true };
    for (const [name, more] of [
      ['read_file', {}],
      ['edit_file', edit],
    ] as const) {
      const calls = wholeCalls(await ask('', { messages, tools }));
      assert.deepEqual(
        calls.map((call) => [call.function.name, JSON.parse(call.function.arguments)]),
        ['src/a.ts', 'test/a.test.ts'].map((path) => [name, { path, ...more }]),
      );
      assert.equal(new Set(calls.map(({ id }) => id)).size, 2);
      messages.push({ role: 'assistant', content: null, tool_calls: calls });
      for (const { id } of calls) messages.push({ role: 'tool', tool_call_id: id, content: 'Done.' });
    }
    assert.deepEqual(wholeCalls(await ask('', { messages, tools })), []);
    assert.deepEqual(wholeCalls(await ask('Rename `total` to `sum` in `src/a.ts`.')), []);
  });

  it('are called for the user’s own text in an agent’s prompt', async () => {
    const reply = await ask(
      '<context>\n// ...existing code\n</context>\n<userRequest>\nRead the file /w/a.ts\n</userRequest>',
    );
    assert.deepEqual(JSON.parse(wholeCall(reply)?.function.arguments ?? ''), { filePath: '/w/a.ts' });
  });

  it('are not called otherwise, unless a call is required', async () => {
    assert.equal(wholeCall(await ask('Hello')), undefined);
    assert.equal(wholeCall(await ask('Hello', { tool_choice: 'required' }))?.function.name, 'read_file');
  });

  it('are called in a stream with the input split at any position', async () => {
    const reply = await ask('Please read the file src/pay.ts', { stream: true });
    const pieces = reply.chunks().flatMap(({ choices }) => {
      const { tool_calls: calls = [] } = (choices[0]?.delta ?? {}) as { tool_calls?: Call[] };
      return calls.map((call) => call.function.arguments);
    });
    assert.ok(pieces.length > 3);
    assert.deepEqual(JSON.parse(pieces.join('')), { filePath: 'src/pay.ts' });
    assert.equal(reply.chunks().at(-1)?.choices[0]?.finish_reason, 'tool_calls');
  });

  it('are followed by a final answer after their result', async () => {
    const calls = [{ id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{}' } }];
    const messages = [
      { role: 'user', content: 'Please read the file src/pay.ts' },
      { role: 'assistant', content: null, tool_calls: calls },
      { role: 'tool', tool_call_id: 'c1', content: 'const paid = true;' },
    ];
    const reply = await ask('', { messages });
    assert.match(reply.text, /const paid = true;/);
    assert.equal(wholeCall(reply), undefined);
  });

  it('are rejected if messages or tools do not match the OpenAI interface', async () => {
    const result = { role: 'tool', tool_call_id: 'c1', content: 'x' };
    const call = {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'a', arguments: '{}' } }],
    };
    const wrong = [
      { messages: [result] },
      { messages: [call, { role: 'user', content: 'and?' }] },
      { messages: [{ ...call, role: 'user' }] },
      { tools: {} },
      { tools: [{ type: 'function', function: { name: 'no blanks' } }] },
      { tool_choice: 'sometimes' },
    ];
    for (const more of wrong) {
      const reply = await ask('Hello', more);
      assert.equal(reply.status, 400, JSON.stringify(more));
      assert.equal(errorOf(reply).code, 'invalid_body');
    }
  });
});
