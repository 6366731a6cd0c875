import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { asMade } from '../../../src/gate/content.ts';
import type { Preview } from '../../../src/send/confirmation.ts';
import { errorOf, type Turn } from '../../../src/session/conversation/turn.ts';
import type { ConversationStore } from '../../../src/store/conversations/conversations.ts';
import { ServiceError } from '../../../src/util/errors.ts';
import { preview } from '../session/fakeDispatch.ts';
import { conversation, turn, Workspace } from './conversationSamples.ts';

describe('store: conversations', () => {
  let workspace: Workspace;
  let store: ConversationStore;
  let clock: number;

  beforeEach(() => {
    workspace = new Workspace();
    clock = 10_000;
    store = workspace.open({ now: () => clock });
  });
  afterEach(() => workspace.remove());

  it('are listed with the name of the file if their first question is only a command', async () => {
    const code = {
      ...{ uri: 'file:///w/src/pay.ts', firstLine: 3, languageId: 'typescript', text: asMade('x'), folder: 'w' },
      label: 'src/pay.ts:3-4',
    };
    const titles = {
      '/explain pay.ts:3-4': turn('1', { prompt: '/explain\n', attachments: [code] }),
      '/tests pay.ts:3-4': turn('1', { prompt: '/tests', attachments: [code, { ...code, label: 'b.ts' }] }),
      'Erkläre diesen Code · pay.ts:3-4': turn('1', {
        action: 'explain',
        prompt: 'Erkläre diesen Code',
        attachments: [code],
      }),
      'Explain pay.ts:3-4': turn('1', { action: 'explain', prompt: 'Explain pay.ts:3-4', attachments: [code] }),
      '/fix the rounding': turn('1', { prompt: '/fix the rounding', attachments: [code] }),
      'Why?': turn('1', { prompt: 'Why?', attachments: [code] }),
      '/commit': turn('1', { prompt: '/commit' }),
      '/commit diff': turn('1', { prompt: '/commit', attachments: [{ ...code, label: 'diff' }] }),
      '/explain …/': turn('1', { prompt: '/explain …/', attachments: [{ ...code, label: 'folder/' }] }),
    };
    for (const [title, first] of Object.entries(titles)) {
      store.save(conversation(title.replace(/\W/g, ''), [first]));
    }
    await store.flush();
    assert.deepEqual((await store.list()).map(({ title }) => title).sort(), Object.keys(titles).sort());
  });

  it('create no file before the first save', async () => {
    assert.deepEqual(await store.list(), []);
    assert.deepEqual(await store.search('x'), []);
    assert.equal(await store.load('a'), undefined);
    assert.equal(await store.rename('a', 'b'), false);
    assert.equal(await store.setPinned('a', true), false);
    assert.equal(await store.delete('a'), false);
    assert.equal(await store.count(), 0);
    assert.equal(await store.purge(), 0);
    assert.equal(existsSync(workspace.folder), false);
  });

  it('are restored unchanged, from files that only the user can read', async () => {
    const full: Turn = turn('1', {
      parent: null,
      attachments: [
        {
          label: 'a.ts:3-4',
          uri: 'file:///w/a.ts',
          firstLine: 3,
          languageId: 'typescript',
          text: asMade('x'),
          folder: 'w',
          marks: [{ rule: 'token', start: 0, end: 1 }],
        },
        {
          ...{
            label: 'diff',
            uri: 'file:///w',
            firstLine: 1,
            languageId: 'diff',
            text: asMade('+x'),
            folder: 'w',
            outside: '/v',
            refused: 'a rule',
          },
          covers: [
            { uri: 'file:///w/a.ts', folder: 'w' },
            { uri: 'file:///v/b.ts', folder: null },
          ],
        },
      ],
      command: { name: 'audit', text: 'Find it.', model: 'svc/one', folder: 'w' },
      finishReason: 'stop',
      usage: { promptTokens: 1, totalTokens: 3 },
      serviceRequestId: 'req-1',
      headers: [
        { name: 'Svc-Audit-Enabled', value: 'true', setBy: [{ layer: 'user' }, { layer: 'folder', name: 'w' }] },
      ],
      receipt: {
        verdict: 'confirmed',
        headers: [{ name: 'Svc-Audit-Enabled', requested: 'true', said: 'true', verdict: 'confirmed' }],
        text: '{"audit":true}',
      },
      origin: 'https://svc.test',
      secrets: { asIsFor: 'https://svc.test\nSvc-Audit-Enabled: true' },
      masked: 2,
      repeated: ['v/b.ts'],
      changesOnly: ['v/d.ts'],
      outdated: ['v/c.ts:1-2'],
      shortened: { parts: [], counts: { turn: 1, attachment: 2, result: 3 }, tokens: 41_000 },
      sentAgain: { window: 32_768, declared: 131_072 },
      readsLess: { counted: 4096, sent: 9000 },
    });
    const saved = conversation('a', [full, turn('2', { parent: '1', answer: 'Ünï \ud83d\ude00 \u2028 </script>' })], {
      title: 'Named',
      isPinned: true,
    });
    assert.equal(await store.save(saved), true);
    assert.deepEqual(await workspace.open().load('a'), saved);
    assert.deepEqual(workspace.names(), ['a.json']);
    if (process.platform !== 'win32') {
      assert.equal(statSync(workspace.path('a.json')).mode & 0o777, 0o600);
      assert.equal(statSync(workspace.folder).mode & 0o777, 0o700);
    }
    const file = JSON.parse(readFileSync(workspace.path('a.json'), 'utf8'));
    assert.equal(file.version, 3);
    assert.equal(file.conversation.id, 'a');
  });

  for (const status of ['confirming', 'waiting', 'retrying', 'streaming'] as const) {
    it(`are restored as interrupted if a turn was ${status}`, async () => {
      const error = new ServiceError('server', 'x', { status: 503 });
      const retry = { untilMs: 1, attempt: 1, error };
      await store.save(conversation('a', [turn('1', { status, answer: 'so far', retry })]));
      const loaded = (await store.load('a'))?.turns[0];
      assert.equal(loaded?.state.status, 'interrupted');
      assert.equal(loaded?.answer.text, 'so far');
      assert.equal(errorOf(loaded)?.kind, 'interrupted');
      assert.equal(errorOf(loaded)?.code, 'window-closed');
      assert.deepEqual(Object.keys(loaded?.state ?? {}).sort(), ['error', 'memory', 'status']);
      const stored = JSON.parse(readFileSync(workspace.path('a.json'), 'utf8')).conversation.turns[0];
      assert.deepEqual(['end' in stored, 'state' in stored], [false, false]);
    });
  }

  it('keep the kind of an error, and none of its text', async () => {
    const error = new ServiceError('rateLimit', 'message of the log', {
      status: 429,
      externalCode: 'slow_down',
      requestId: 'req-9',
      host: 'other:1',
      origin: 'https://svc.example:8443',
      file: 'secret-file',
      reason: 'secret-reason',
      serviceMessage: 'it quotes the prompt',
      cause: new Error('the cause'),
    });
    await store.save(conversation('a', [turn('1', { status: 'failed', answer: '', error })]));
    const revived = errorOf((await workspace.open().load('a'))?.turns[0]);
    assert.ok(revived instanceof ServiceError);
    const { kind, code, externalCode, status, requestId, host, origin, serviceMessage, cause } = revived;
    assert.deepEqual(
      { kind, code, externalCode, status, requestId, host, origin, serviceMessage, cause },
      {
        ...{ kind: 'rateLimit', code: undefined, externalCode: 'slow_down' },
        ...{ status: 429, requestId: 'req-9', host: 'other:1', origin: 'https://svc.example:8443' },
        ...{ serviceMessage: undefined, cause: undefined },
      },
    );
    assert.doesNotMatch(workspace.everything(), /message of the log|quotes|the cause|secret-/);
  });

  it('keep what a model can read', async () => {
    const error = new ServiceError('request', '', { status: 400, code: 'context-length', contextTokens: 8192 });
    await store.save(conversation('a', [turn('1', { status: 'failed', answer: '', error })]));
    const revived = errorOf((await workspace.open().load('a'))?.turns[0]);
    assert.deepEqual([revived?.code, revived?.contextTokens], ['context-length', 8192]);
  });

  it('store no part of the preview of a pending question', async () => {
    const saying = (body: string): Preview => ({ ...preview, request: { ...preview.request, body } });
    const review = {
      preview: saying('the-exact-body'),
      asIs: saying('with-the-secret'),
      found: [],
      leftOutOfMessage: [],
    };
    await store.save(conversation('a', [turn('1', { status: 'confirming', answer: '', confirmation: review })]));
    assert.doesNotMatch(workspace.everything(), /the-exact-body|with-the-secret/);
  });

  it('are listed with pinned ones first, then the newest', async () => {
    for (const id of ['old', 'middle', 'new']) {
      clock += 1000;
      await store.save(conversation(id, [turn(`${id}1`, { model: null }), turn(`${id}2`)]));
    }
    await store.setPinned('old', true);
    const listed = await store.list();
    assert.deepEqual(
      listed.map(({ id }) => id),
      ['old', 'new', 'middle'],
    );
    assert.deepEqual(listed[0], {
      ...{ id: 'old', title: 'question old1', model: 'model-one', createdAt: 500, updatedAt: 11_000 },
      ...{ isPinned: true, turns: 2 },
    });
    await store.setPinned('old', false);
    assert.deepEqual(
      (await workspace.open().list()).map(({ id }) => id),
      ['new', 'middle', 'old'],
    );
  });

  it('have the given name, or the first line of the first prompt', async () => {
    const title = async (): Promise<string | undefined> => (await store.list())[0]?.title;
    await store.save(conversation('a', [turn('1', { prompt: `\n\n  ${'é'.repeat(100)}\nsecond line` })]));
    assert.equal(await title(), `${'é'.repeat(79)}…`);
    assert.equal(await store.rename('a', '  two\nlines\t '), true);
    assert.equal(await title(), 'two lines');
    assert.equal((await store.load('a'))?.title, 'two lines');
    assert.equal(await store.rename('a', '\u{1f600}'.repeat(500)), true);
    assert.equal([...((await workspace.open().load('a'))?.title ?? '')].length, 200);
    assert.equal(await store.rename('a', ' '), true);
    assert.equal(await title(), `${'é'.repeat(79)}…`);
  });

  it('take a name from a snapshot until they are renamed', async () => {
    const first = conversation('a', [turn('1')]);
    await store.save(first);
    await store.save({ ...first, title: 'from the session', isPinned: true });
    assert.equal((await store.load('a'))?.title, 'from the session');
    await store.rename('a', 'renamed');
    await store.setPinned('a', false);
    await store.save({ ...first, title: 'from the session', isPinned: true, turns: [...first.turns, turn('2')] });
    const loaded = await store.load('a');
    assert.equal(loaded?.title, 'renamed');
    assert.equal(loaded?.isPinned, undefined);
    assert.equal(loaded?.turns.length, 2);
  });

  it('are found by words in titles, prompts and answers, in any case', async () => {
    const long = `${'x '.repeat(300)}The Übergang (a+b) \n is here${' y'.repeat(300)}`;
    await store.save(conversation('a', [turn('1', { answer: long })]));
    await store.save(conversation('b', [turn('2', { prompt: 'ask about übergang' })]));
    await store.save(conversation('c', [turn('3')], { title: 'ÜBERGANG plan' }));
    await store.save(conversation('d', [turn('4')]));
    const hits = await store.search(' übergang ');
    assert.deepEqual(hits.map(({ id }) => id).sort(), ['a', 'b', 'c']);
    const excerpt = hits.find(({ id }) => id === 'a')?.excerpt ?? '';
    assert.match(excerpt, /^….*The Übergang \(a\+b\) is here.*…$/);
    assert.ok(excerpt.length <= 160);
    assert.equal(hits.find(({ id }) => id === 'c')?.excerpt, 'ÜBERGANG plan');
    assert.deepEqual(
      (await store.search('(A+B) is')).map(({ id }) => id),
      ['a'],
    );
    assert.deepEqual(await store.search('.*nothing'), []);
    assert.deepEqual(await store.search('  '), []);
  });

  it('are written once for many snapshots, with the newest state', async () => {
    const written: string[] = [];
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const { writeAtomically } = await import('../../../src/store/files.ts');
    const slow = workspace.open({
      files: {
        async writeAtomically(path, text, options) {
          written.push(text);
          await gate;
          await writeAtomically(path, text, options);
        },
      },
    });
    const saves = Array.from({ length: 50 }, (_, index) =>
      slow.save(conversation('a', [turn('1', { status: 'streaming', answer: 'x'.repeat(index) })])),
    );
    open();
    await slow.flush();
    assert.deepEqual([...new Set(await Promise.all(saves))], [true]);
    assert.ok(written.length <= 2, `${written.length} writes`);
    assert.equal((await store.load('a'))?.turns[0]?.answer.text.length, 49);
  });

  it('are not written again if nothing has changed', async () => {
    const snapshot = conversation('a', [turn('1')]);
    await store.save(snapshot);
    const before = readFileSync(workspace.path('a.json'), 'utf8');
    clock += 1000;
    await store.save(snapshot);
    assert.equal(readFileSync(workspace.path('a.json'), 'utf8'), before);
  });

  it('accept an answer that is requested again', async () => {
    await store.save(conversation('a', [turn('1', { answer: 'a long and complete one' })]));
    await store.save(conversation('a', [turn('1', { status: 'waiting', answer: '' })]));
    assert.equal((await workspace.open().load('a'))?.turns[0]?.answer.text, '');
    await store.save(conversation('a', [turn('1', { answer: 'short' })]));
    assert.equal((await workspace.open().load('a'))?.turns[0]?.answer.text, 'short');
  });

  it('reject an id that is not a file name', async () => {
    for (const id of ['../x', 'a/b', '', 'a.json', 'x'.repeat(200)]) {
      await assert.rejects(store.save(conversation(id, [turn('1')])), { kind: 'storage', code: 'bad-id' });
      assert.equal(await store.load(id), undefined);
      assert.equal(await store.delete(id), false);
    }
    assert.equal(existsSync(workspace.folder), false);
  });
});
