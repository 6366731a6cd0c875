import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { type CallShapes, openChannel, ReplyValue } from '../../../../src/platform/pages/channel.ts';
import type { CallMessage } from '../../../../src/protocol/channel.ts';
import { Channel } from '../../../../src/webview/channel.ts';

interface Calls {
  ready(): void;
  rename(params: { readonly name: string }): void;
  list(params: { readonly from: number }): readonly string[];
}

const shapes: CallShapes<Calls> = {
  ready: null,
  rename: z.object({ name: z.string().check(z.maxLength(10)) }),
  list: z.object({ from: z.int() }),
};

const secret = 'sk-live-4242';

/** The host's end, with a page that sends anything. */
function open(handlers: Partial<{ ready: (params: unknown) => unknown; rename: (params: unknown) => unknown }> = {}) {
  const called: unknown[] = [];
  const posted: unknown[] = [];
  const logged: string[] = [];
  let send: (message: unknown) => void = () => assert.fail('nothing listens');
  const log = (line: string): void => void logged.push(line);
  const post = openChannel<Calls, { readonly type: 'news' }>(
    {
      onDidReceiveMessage: (listener) => {
        send = listener;
      },
      postMessage: async (message) => {
        if (message === null) throw new Error('gone');
        posted.push(message);
      },
    },
    {
      name: 'page',
      shapes,
      handlers: {
        ready: handlers.ready ?? ((...given) => called.push(['ready', ...given])),
        rename: handlers.rename ?? ((params) => called.push(['rename', params])),
        list: async ({ from }) => new ReplyValue(['a', 'b'].slice(from)),
      },
      wordsFor: (error) => `words for ${error instanceof Error ? error.message : typeof error}`,
      logger: { warn: log, trace: log },
    },
  );
  /** Sends as VS Code does, as JSON, and waits until the host has answered. */
  const tell = async (message: unknown): Promise<void> => {
    const json = JSON.stringify(message);
    send(json === undefined ? undefined : JSON.parse(json));
    await new Promise(setImmediate);
  };
  return { called, posted, logged, post, tell };
}

describe('platform/pages/channel', () => {
  it('calls the handler, and answers with the number of the call', async () => {
    const { called, posted, tell } = open();
    await tell({ type: 'call', id: 7, method: 'rename', params: { name: 'a', more: 1 } });
    await tell({ type: 'call', id: 8, method: 'ready' });
    assert.deepEqual(called, [
      ['rename', { name: 'a' }],
      ['ready', undefined],
    ]);
    assert.deepEqual(posted, [
      { type: 'reply', id: 7 },
      { type: 'reply', id: 8 },
    ]);
  });

  it('sends the value of a call that has one, and nothing of what another handler returns', async () => {
    const { posted, tell } = open({ ready: () => secret, rename: async () => ({ value: secret }) });
    await tell({ type: 'call', id: 1, method: 'list', params: { from: 1 } });
    await tell({ type: 'call', id: 2, method: 'list', params: { from: 9 } });
    await tell({ type: 'call', id: 3, method: 'ready' });
    await tell({ type: 'call', id: 4, method: 'rename', params: { name: 'a' } });
    assert.deepEqual(posted, [
      { type: 'reply', id: 1, value: ['b'] },
      { type: 'reply', id: 2, value: [] },
      { type: 'reply', id: 3 },
      { type: 'reply', id: 4 },
    ]);
  });

  it('answers in the order in which the handlers end', async () => {
    let end: () => void = () => undefined;
    const { posted, tell } = open({ ready: () => new Promise<void>((resolve) => (end = resolve)) });
    await tell({ type: 'call', id: 1, method: 'ready' });
    await tell({ type: 'call', id: 2, method: 'rename', params: { name: 'a' } });
    end();
    await new Promise(setImmediate);
    assert.deepEqual(posted, [
      { type: 'reply', id: 2 },
      { type: 'reply', id: 1 },
    ]);
  });

  for (const [what, message] of [
    ['nothing', undefined],
    ['a text', 'ready'],
    ['a list', [{ type: 'call', id: 1, method: 'ready' }]],
    ['no number', { type: 'call', method: 'ready' }],
    ['a text as number', { type: 'call', id: '1', method: 'ready' }],
    ['half a number', { type: 'call', id: 1.5, method: 'ready' }],
    ['another type', { type: 'reply', id: 1, method: 'ready' }],
    ['no name', { type: 'call', id: 1 }],
    ['a list as name', { type: 'call', id: 1, method: ['ready'] }],
    ['an unknown name', { type: 'call', id: 1, method: secret }],
    ['a huge name', { type: 'call', id: 1, method: secret.repeat(1_000_000) }],
    ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__defineGetter__', ''].map(
      (method) => [`the name “${method}”`, { type: 'call', id: 1, method, params: { name: secret } }] as const,
    ),
  ] as const) {
    it(`ignores ${what}, and logs that without its content`, async () => {
      const { called, posted, logged, tell } = open();
      await tell(message);
      assert.deepEqual([called, posted], [[], []]);
      assert.deepEqual(logged, ['The page sent a message that is none of the protocol.']);
    });
  }

  for (const [what, params] of [
    ['none', undefined],
    ['null', null],
    ['a wrong type', { name: 7 }],
    ['too long a text', { name: secret.repeat(1_000_000) }],
    ['a prototype', JSON.parse('{"__proto__": {"name": "a"}}')],
  ] as const) {
    it(`answers a call whose parameters are ${what} with an error, and does nothing`, async () => {
      const { called, posted, logged, tell } = open();
      await tell({ type: 'call', id: 3, method: 'rename', params });
      assert.deepEqual(called, []);
      assert.deepEqual(posted, [{ type: 'reply', id: 3, err: 'words for The parameters do not fit.' }]);
      assert.deepEqual(logged, ['The call rename of the page failed.']);
    });
  }

  it('gives a call without parameters none, whatever the page sends', async () => {
    const { called, tell } = open();
    await tell({ type: 'call', id: 1, method: 'ready', params: { name: secret } });
    assert.deepEqual(called, [['ready', undefined]]);
  });

  it('answers with the words of an error, which it does not log', async () => {
    const fail = (error: unknown) => () => {
      throw error;
    };
    const { posted, logged, tell } = open({ ready: fail(new Error(secret)), rename: async () => fail(undefined)() });
    await tell({ type: 'call', id: 1, method: 'ready' });
    await tell({ type: 'call', id: 2, method: 'rename', params: { name: 'a' } });
    assert.deepEqual(posted, [
      { type: 'reply', id: 1, err: `words for ${secret}` },
      { type: 'reply', id: 2, err: 'words for undefined' },
    ]);
    assert.deepEqual(logged, ['The call ready of the page failed.', 'The call rename of the page failed.']);
  });

  it('sends other messages, and survives a page that is gone', async () => {
    const { posted, logged, post } = open();
    post({ type: 'news' });
    post(null as never);
    await new Promise(setImmediate);
    assert.deepEqual([posted, logged], [[{ type: 'news' }], ['The page was gone before a message.']]);
  });

  it('settles the calls of the other end', async () => {
    const { posted, tell } = open();
    const sent: CallMessage[] = [];
    const page = new Channel<Calls>({ postMessage: (message) => sent.push(message) });
    const good = page.ask('rename', { name: 'short' });
    const bad = page.ask('rename', { name: 'much too long' });
    for (const message of sent) await tell(message);
    for (const message of posted) page.receive(message);
    await good;
    await assert.rejects(bad, { message: 'words for The parameters do not fit.' });
  });
});
