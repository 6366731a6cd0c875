import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AnswerDecoder } from '../../../src/client/answer/decode.ts';
import { ToolCallAssembler } from '../../../src/client/answer/toolCalls.ts';
import { keyFilter } from '../../../src/client/answer/withoutKey.ts';
import type { ChatEvent, ToolCall } from '../../../src/client/chat.ts';
import { chatBody } from '../../../src/client/chatBody.ts';
import { openSseHead } from '../../tools/rawServer.ts';
import { request, Theatre } from './harness.ts';

const wrong = { name: 'ServiceError', kind: 'protocol', code: 'tool-call' };

/** Stream chunks that contain these calls. `cuts` are the lengths of the pieces of each input, in turn. */
function piecesOf(calls: readonly ToolCall[], cuts: readonly number[]): readonly unknown[] {
  let turn = 0;
  return calls.flatMap(({ id, name, input }, index) => {
    const pieces: unknown[] = [{ index, id, type: 'function', function: { name, arguments: '' } }];
    const text = JSON.stringify(input);
    for (let at = 0; at < text.length; ) {
      const length = cuts[turn++ % cuts.length] ?? 1;
      pieces.push({ index, function: { arguments: text.slice(at, at + length) } });
      at += length;
    }
    return pieces;
  });
}

describe('tool calls', () => {
  it('are the same for any split of their input and any interleaving', () => {
    const call = fc.record({
      name: fc.stringMatching(/^[a-z_]{1,20}$/),
      input: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>),
    });
    const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.array(call, { maxLength: 5 }), cuts, fc.infiniteStream(fc.nat()), (asked, lengths, picks) => {
        const calls = asked.map(({ name, input }, index) => ({
          id: `call_${index}`,
          name,
          input: JSON.parse(JSON.stringify(input)),
        }));
        // Each call's pieces in order, the calls interleaved.
        const queues = calls.map((_, index) =>
          piecesOf(calls, lengths).filter((piece) => (piece as { index: number }).index === index),
        );
        const assembler = new ToolCallAssembler();
        while (queues.some(({ length }) => length > 0)) {
          const waiting = queues.filter(({ length }) => length > 0);
          const next = waiting[picks.next().value % waiting.length]?.shift();
          assembler.push([next]);
        }
        assert.deepEqual(assembler.take(), calls);
      }),
    );
  });

  it('a call without an index starts at its id, one without an id gets one, and one without input gets an empty object', () => {
    const assembler = new ToolCallAssembler();
    assembler.push([{ id: 'a', function: { name: 'read', arguments: '{"x"' } }]);
    assembler.push([{ function: { arguments: ':1}' } }]);
    assembler.push([{ id: 'b', function: { name: 'list' } }]);
    assert.deepEqual(assembler.take(), [
      { id: 'a', name: 'read', input: { x: 1 } },
      { id: 'b', name: 'list', input: {} },
    ]);
    assembler.push([{ index: 0, function: { name: 'read', arguments: '{}' } }]);
    assert.match(assembler.take()[0]?.id ?? '', /^call_[\w-]{36}$/);
  });

  it('calls that all have index 0 are distinguished by their ids, even if the ids repeat', () => {
    const assembler = new ToolCallAssembler();
    const piece = (id: string | undefined, text: string, name?: string) =>
      assembler.push([{ index: 0, ...(id === undefined ? {} : { id }), function: { name, arguments: text } }]);
    piece('a', '{"x"', 'read');
    piece(undefined, ':1');
    piece('b', '{"y":2', 'list');
    piece('a', '0');
    piece(undefined, '}');
    piece('b', '}');
    piece('c', '', 'look');
    assert.deepEqual(assembler.take(), [
      { id: 'a', name: 'read', input: { x: 10 } },
      { id: 'b', name: 'list', input: { y: 2 } },
      { id: 'c', name: 'look', input: {} },
    ]);
  });

  it('interleaved calls that all have index 0 are distinguished if each piece has its id', () => {
    const inputs = fc.array(fc.dictionary(fc.string({ maxLength: 3 }), fc.nat(), { maxKeys: 3 }), { maxLength: 5 });
    const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(inputs, cuts, fc.infiniteStream(fc.nat()), (given, lengths, picks) => {
        const calls = given.map((input, at) => ({ id: `call_${at}`, name: 'read', input: { ...input } }));
        const queues = calls.map((call) =>
          piecesOf([call], lengths).map((piece) => ({ ...(piece as object), id: call.id })),
        );
        const assembler = new ToolCallAssembler();
        const begun: string[] = [];
        while (queues.some(({ length }) => length > 0)) {
          const waiting = queues.filter(({ length }) => length > 0);
          const next = waiting[picks.next().value % waiting.length]?.shift();
          if (next !== undefined && !begun.includes(next.id)) begun.push(next.id);
          assembler.push([next]);
        }
        const expected = begun.map((id) => calls.find((call) => call.id === id));
        assert.deepEqual(JSON.stringify(assembler.take()), JSON.stringify(expected));
      }),
    );
  });

  it('calls with equal ids are distinguished by their index, and accept a late id', () => {
    const assembler = new ToolCallAssembler();
    assembler.push([
      { index: 1, id: 'same', function: { name: 'list', arguments: '{}' } },
      { index: 0, function: { name: 'read', arguments: '{"x":' } },
      { index: 0, id: 'same', function: { arguments: '1}' } },
    ]);
    assert.deepEqual(assembler.take(), [
      { id: 'same', name: 'read', input: { x: 1 } },
      { id: 'same', name: 'list', input: {} },
    ]);
  });

  it('calls with equal ids and no index are distinguished by their names', () => {
    const assembler = new ToolCallAssembler();
    assembler.push([{ id: 'call_0', function: { name: 'read', arguments: '{"x":1}' } }]);
    assembler.push([{ id: 'call_0', function: { name: 'list', arguments: '{"y"' } }]);
    assembler.push([{ id: 'call_0', function: { arguments: ':2}' } }]);
    assert.deepEqual(assembler.take('tool_calls'), [
      { id: 'call_0', name: 'read', input: { x: 1 } },
      { id: 'call_0', name: 'list', input: { y: 2 } },
    ]);
  });

  it('are marked as truncated only if the answer ended inside them', () => {
    for (const [finishReason, cut] of [
      ['length', 'length'],
      ['content_filter', 'filter'],
    ] as const) {
      for (const text of ['', '{"path":"a', '{"path":"a"']) {
        const assembler = new ToolCallAssembler();
        assembler.push([
          { index: 0, id: 'a', function: { name: 'read', arguments: '{"path":"a"}' } },
          { index: 1, id: 'b', function: { name: 'read', arguments: text } },
        ]);
        assert.throws(() => assembler.take(finishReason), { ...wrong, code: 'tool-call-cut', details: { cut } });
      }
      const assembler = new ToolCallAssembler();
      assembler.push([{ index: 0, id: 'a', function: { name: 'read', arguments: '{"path":"a"}' } }]);
      assert.equal(assembler.take(finishReason).length, 1);
    }
  });

  it('are cut where half of one is all that came, and no reason', () => {
    const half = { id: 'a', function: { name: 'read', arguments: '{"x": "bro' } };
    for (const [finishReason, code] of [
      [undefined, 'tool-call-cut'],
      ['stop', 'tool-call'],
      ['tool_calls', 'tool-call'],
    ] as const) {
      const assembler = new ToolCallAssembler();
      assembler.push([half]);
      assert.throws(() => assembler.take(finishReason), { ...wrong, code });
    }
  });

  const named = (name: string, text?: unknown, rest: object = {}): object => ({
    ...rest,
    function: { name, arguments: text },
  });
  const first = { index: 0, id: 'a' };
  const read = ['read', { x: 1 }] as const;
  for (const [what, lists, ...expected] of [
    [
      'another id with each piece',
      [
        [named('read', '', first)],
        [named('', '{"x"', { index: 0, id: 'b' })],
        [named('', ':1}', { index: 0, id: 'c' })],
      ],
      read,
    ],
    [
      'another id with each piece, and a second call',
      [
        [named('read', '{"x":', first)],
        [named('', '1}', { index: 0, id: 'b' })],
        [named('list', '{', { index: 1, id: 'c' })],
        [named('', '}', { index: 1, id: 'd' })],
      ],
      read,
      ['list', {}],
    ],
    ['another id, and no index', [[named('read', '{"x":', { id: 'a' })], [named('', '1}', { id: 'b' })]], read],
    [
      'inputs that are objects, no ids, one index, one name',
      [[named('read', { x: 1 }, { index: 0 })], [named('read', { x: 2 }, { index: 0 })]],
      read,
      ['read', { x: 2 }],
    ],
    [
      'an empty object, then the input as an object',
      [[named('read', {}, first)], [named('read', { x: 1 }, first)]],
      read,
    ],
    ['an input that comes twice in one piece', [[named('read', '{"x":1}{"x":1}', first)]], read],
    ['an input that comes three times', [[named('read', '{"x":1}'.repeat(3), first)]], read],
    [
      'an input in pieces that comes again',
      [[named('read', '{"x"', first)], [named('', ':1}', first)], [named('read', '{"x":1}', first)]],
      read,
    ],
    [
      'an input in pieces that comes again as JSON in a JSON text',
      [[named('read', '{"x"', first)], [named('', ':1}', first)], [named('read', '"{\\"x\\":1}"', first)]],
      read,
    ],
    ['an input that is an object', [[named('read', { x: 1 }, first)]], read],
    ['an input that comes again', [[named('read', '{"x":1}', first)], [named('read', '{"x":1}', first)]], read],
    ['an object that comes again', [[named('read', { x: 1 }, first)], [named('read', { x: 1 }, first)]], read],
    [
      'an input that grows',
      [[named('read', '{"x"', first)], [named('', '{"x":1', first)], [named('', '{"x":1}')]],
      read,
    ],
    [
      'an empty object first',
      [[named('read', '{}', first)], [named('', '{"x"', { index: 0 })], [named('', ':1}')]],
      read,
    ],
    ['an empty object, and no input', [[named('read', '{}', first)], [named('', '')]], ['read', {}]],
    ['an input of null', [[named('read', 'null', first)]], ['read', {}]],
    ['JSON in a JSON text', [[named('read', '"{\\"x\\":1}"', first)]], read],
    ['fields that are null', [[named('read', '{"x":1}', first)], [{ id: null, function: { name: null } }]], read],
    ['no object around name and input', [[{ ...first, name: 'read', arguments: '{"x":1}' }]], read],
    ['a name in pieces', [[named('re', '', first)], [named('ad', '{"x":1}', { index: 0 })]], read],
    ['a name that grows', [[named('re', '', first)], [named('read', '{"x":1}', { index: 0 })]], read],
    ['an index from 1 on', [[named('read', '{"x":1}', { index: 1, id: 'a' })]], read],
    [
      'an index that is text',
      [[named('read', '{"x"', { index: '0' })], [{ index: '0', function: { arguments: ':1}' } }]],
      read,
    ],
    ['no ids, one list', [[named('read', '{"x":1}'), named('read', '{"x":2}')]], read, ['read', { x: 2 }]],
    [
      'no ids, one index, one list',
      [[named('read', '{"x":1}', { index: 0 }), named('list', '', { index: 0 })]],
      read,
      ['list', {}],
    ],
    [
      'no ids, one index',
      [[named('read', '{"x":1}', { index: 0 })], [named('list', '{}', { index: 0 })]],
      read,
      ['list', {}],
    ],
    [
      'ids that are empty',
      [[named('read', '{"x":1}', { index: 0, id: '' }), named('list', '', { index: 1, id: '' })]],
      read,
      ['list', {}],
    ],
  ] as const) {
    it(`calls with ${what} are read as they were meant`, () => {
      const assembler = new ToolCallAssembler();
      for (const list of lists) assembler.push(list);
      const calls = assembler.take('tool_calls');
      assert.deepEqual(
        calls.map(({ name, input }) => [name, input]),
        expected,
      );
      assert.equal(new Set(calls.map(({ id }) => id)).size, calls.length);
    });
  }

  it('a call that repeats something other than its beginning is a protocol error', () => {
    for (const [one, two] of [
      ['{"x":1}', '{"x":2}'],
      ['{"x":1}', '{}'],
      ['{"x":1}', 'null'],
      ['[1]', '[1]'],
    ]) {
      const assembler = new ToolCallAssembler();
      for (const text of [one, two]) assembler.push([named('read', text, first)]);
      assert.throws(() => assembler.take('tool_calls'), wrong);
    }
  });

  it('a call in another format (no JSON, no object, no name, too deep) is a protocol error', () => {
    const spoiled: unknown[] = [
      { id: 'a', function: { name: 'read', arguments: '{"x": bro}' } },
      { id: 'a', function: { name: 'read', arguments: '"text"' } },
      { id: 'a', function: { name: 'read', arguments: '[1]' } },
      { id: 'a', function: { arguments: '{}' } },
      { id: 'a', function: { name: 'read', arguments: `{"x":${'['.repeat(101)}${']'.repeat(101)}}` } },
    ];
    for (const piece of spoiled) {
      const assembler = new ToolCallAssembler();
      assembler.push([piece]);
      assert.throws(() => assembler.take(), wrong);
    }
  });

  it('calls that are too many or too long, or have too long a name, are rejected immediately', () => {
    const endless = new ToolCallAssembler();
    const piece = { index: 0, id: 'a', function: { name: 'write', arguments: 'x'.repeat(300_000) } };
    for (let i = 0; i < 3; i++) endless.push([piece]);
    assert.throws(() => endless.push([piece]), wrong);
    const many = new ToolCallAssembler();
    const calls = Array.from({ length: 129 }, (_, index) => ({ index, id: `c${index}`, function: { name: 'n' } }));
    assert.throws(() => many.push(calls), wrong);
    assert.throws(() => new ToolCallAssembler().push([{ function: { name: 'n'.repeat(129) } }]), wrong);
  });

  it('any value under tool_calls results in a call or a ServiceError', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue() as fc.Arbitrary<unknown>), (said) => {
        const events: ChatEvent[] = [];
        const decoder = new AnswerDecoder(keyFilter(['key']));
        try {
          const choices = [{ delta: { tool_calls: said }, finish_reason: 'tool_calls' }];
          decoder.push(JSON.stringify({ choices }), events);
          decoder.finish(events);
        } catch (error) {
          assert.ok(error instanceof Error && error.name === 'ServiceError', String(error));
        }
        for (const event of events) assert.ok(event.type === 'tool-call' || event.type === 'finish');
      }),
    );
  });

  it('come before the finish, also from a whole completion', () => {
    const events: ChatEvent[] = [];
    const tool_calls = [{ id: 'a', type: 'function', function: { name: 'read', arguments: '{"path":"a.ts"}' } }];
    const message = { role: 'assistant', content: null, tool_calls };
    const decoder = new AnswerDecoder(keyFilter(['key']));
    decoder.push(JSON.stringify({ choices: [{ message, finish_reason: 'tool_calls' }] }), events);
    decoder.finish(events);
    assert.deepEqual(events, [
      { type: 'tool-call', call: { id: 'a', name: 'read', input: { path: 'a.ts' } } },
      { type: 'finish', finishReason: 'tool_calls' },
    ]);
  });
});

describe('the body', () => {
  it('has only the interface document’s fields if no tools are used', () => {
    const offer = { tools: [], choice: 'auto' } as const;
    assert.deepEqual(Object.keys(JSON.parse(chatBody({ ...request, offer }))), ['model', 'messages', 'stream']);
    assert.equal(chatBody({ ...request, offer }), chatBody(request));
  });

  it('has tools, calls and results in the format of the OpenAI interface', () => {
    const body = JSON.parse(
      chatBody({
        ...request,
        messages: [
          { role: 'user', content: 'Read a.ts' },
          { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'read', input: { path: 'a.ts' } }] },
          { role: 'tool', content: 'const a = 1;', toolCallId: 'c1' },
        ],
        offer: { tools: [{ name: 'read', description: 'Reads.', schema: { type: 'object' } }], choice: 'required' },
      }),
    );
    assert.deepEqual(body.messages.slice(1), [
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"a.ts"}' } }],
      },
      { role: 'tool', content: 'const a = 1;', tool_call_id: 'c1' },
    ]);
    assert.deepEqual(body.tools, [
      {
        type: 'function',
        function: { name: 'read', description: 'Reads.', parameters: { type: 'object', properties: {} } },
      },
    ]);
    assert.equal(body.tool_choice, 'required');
  });
});

describe('a tool call over the wire', () => {
  const theatre = new Theatre();
  afterEach(() => theatre.tearDown());

  it('a malformed one is a protocol error, even after some text, and is not retried', async () => {
    const said = (delta: object, finish: string | null = null): string =>
      `data: ${JSON.stringify({ choices: [{ delta, finish_reason: finish }] })}\n\n`;
    const { chat, server } = await theatre.stage(async ({ sendEach, end }) => {
      await sendEach([
        openSseHead,
        said({ content: 'I look.' }),
        said({ tool_calls: [{ index: 0, id: 'a', function: { name: 'read', arguments: '{"path": "a' } }] }),
        said({}, 'tool_calls'),
      ]);
      end();
    });
    const { error, text, events } = await chat();
    assert.deepEqual([error?.kind, error?.code], ['protocol', 'tool-call']);
    assert.equal(text, 'I look.');
    assert.ok(!events.some(({ type }) => type === 'tool-call' || type === 'finish'));
    assert.equal(server.requests.length, 1);
  });
});
