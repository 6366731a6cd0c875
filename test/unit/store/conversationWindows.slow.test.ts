import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { allTurns, cutBefore, showTurn } from '../../../src/session/conversation/branches.ts';
import type { Conversation } from '../../../src/session/conversation/conversation.ts';
import { errorOf, type Turn } from '../../../src/session/conversation/turn.ts';
import type { ConversationStore, StoreChange } from '../../../src/store/conversations/conversations.ts';
import { fieldsOf, turnOf } from '../../tools/turns.ts';
import { conversation, turn, Workspace } from './conversationSamples.ts';

function child(...args: readonly string[]): ChildProcess {
  return fork(join(import.meta.dirname, 'conversationChild.ts'), args, { execArgv: ['--no-warnings'] });
}

/** Of all branches: questions of two windows in the same place become siblings. */
const everything = (held: Conversation | undefined): readonly Turn[] => (held === undefined ? [] : allTurns(held));
const ids = (held: Conversation | undefined): readonly string[] => everything(held).map(({ id }) => id);

describe('store: conversations in two windows', () => {
  let workspace: Workspace;
  let one: ConversationStore;
  let two: ConversationStore;

  beforeEach(() => {
    workspace = new Workspace();
    one = workspace.open();
    two = workspace.open();
  });
  afterEach(() => workspace.remove());

  async function loaded(store: ConversationStore, id = 'a'): Promise<Conversation> {
    const held = await store.load(id);
    assert.ok(held);
    return held;
  }

  it('keep a name from one and a turn from the other', async () => {
    const mine = conversation('a', [turn('1')]);
    await one.save(mine);
    const theirs = await loaded(two);
    await Promise.all([
      one.rename('a', 'named'),
      one.setPinned('a', true),
      two.save({ ...theirs, turns: [...theirs.turns, turn('2')] }),
      one.save({ ...mine, turns: [...mine.turns, turn('3')] }),
    ]);
    const result = await loaded(workspace.open());
    assert.deepEqual([result.title, result.isPinned], ['named', true]);
    assert.deepEqual([...ids(result)].sort(), ['1', '2', '3']);
  });

  it('do not revert a turn that only the other has changed', async () => {
    const first = conversation('a', [turn('1', { status: 'failed', answer: '' })]);
    await one.save(first);
    const theirs = await loaded(two);
    await two.save({ ...theirs, turns: [turn('1', { answer: 'their answer' })] });
    await one.save({ ...first, turns: [...first.turns, turn('2')] });
    const result = await loaded(workspace.open());
    assert.deepEqual(
      result.turns.map(({ answer }) => answer.text),
      ['their answer', 'answer 2'],
    );
  });

  it('do not revert a turn that the other has sent again', async () => {
    const first = conversation('a', [turn('1', { answer: 'the old answer' })]);
    await one.save(first);
    const theirs = await loaded(two);
    await two.save({ ...theirs, turns: [turn('1', { status: 'waiting', answer: '' })] });
    await one.save({ ...first, turns: [...first.turns, turn('2')] });
    assert.equal((await loaded(workspace.open())).turns[0]?.answer.text, '');
  });

  it('list the changes of the other window, even without a listener', async () => {
    await one.save(conversation('a', [turn('1')]));
    await one.save(conversation('b', [turn('2')]));
    assert.equal((await two.list()).length, 2);
    await one.rename('a', 'named');
    await one.delete('b');
    assert.deepEqual(
      (await two.list()).map(({ title }) => title),
      ['named'],
    );
  });

  it('prefer a complete answer to one in progress, until that is complete too', async () => {
    const first = conversation('a', [turn('1', { status: 'failed', answer: '' })]);
    await one.save(first);
    const theirs = await loaded(two);
    await two.save({ ...theirs, turns: [turn('1', { answer: 'complete' })] });
    const answer = async (): Promise<string | undefined> => (await loaded(workspace.open())).turns[0]?.answer.text;
    await one.save({ ...first, turns: [turn('1', { status: 'waiting', answer: '' })] });
    assert.equal(await answer(), 'complete');
    await one.save({ ...first, turns: [turn('1', { status: 'streaming', answer: 'a longer but unfinished one' })] });
    assert.equal(await answer(), 'complete');
    await one.save({ ...first, turns: [turn('1', { answer: 'later' })] });
    assert.equal(await answer(), 'later');
  });

  it('notify each other of changes', async () => {
    const changes: StoreChange[] = [];
    const seen = async (isIt: (change: StoreChange) => boolean): Promise<void> => {
      while (!changes.some(isIt)) await next.promise;
    };
    let next = Promise.withResolvers<void>();
    two.onDidChange((change) => {
      changes.push(change);
      next.resolve();
      next = Promise.withResolvers<void>();
    });
    assert.deepEqual(await two.list(), []);
    await one.save(conversation('a', [turn('1')]));
    await seen(({ changed }) => changed.includes('a'));
    await one.rename('a', 'named');
    await seen(({ changed }) => changed.includes('a') && changes.length > 1);
    assert.equal((await two.list())[0]?.title, 'named');
    await one.delete('a');
    await seen(({ deleted }) => deleted.includes('a'));
    assert.deepEqual(await two.list(), []);
  });

  it('lose nothing when two processes write at the same time', async () => {
    await one.save(conversation('shared', [turn('first')]));
    const writers = ['x', 'y'].map((name) => child('write', workspace.folder, name));
    const codes = await Promise.all(writers.map(async (writer) => (await once(writer, 'exit'))[0]));
    assert.deepEqual(codes, [0, 0]);
    const wanted = (prefix: string) => Array.from({ length: 100 }, (_, index) => `${prefix}-${index}`);
    for (const name of ['x', 'y']) {
      assert.deepEqual(ids(await loaded(one, `own-${name}`)), wanted(`own-${name}`));
      const own = ids(await loaded(one, 'shared')).filter((id) => id.startsWith(name));
      assert.deepEqual(own, wanted(name));
    }
    assert.equal(ids(await loaded(one, 'shared')).length, 201);
    assert.deepEqual(workspace.names(), ['own-x.json', 'own-y.json', 'shared.json']);
  });

  it('show a turn as interrupted if its process was killed in mid-stream', async () => {
    const streaming = child('stream', workspace.folder);
    await once(streaming, 'message');
    streaming.kill('SIGKILL');
    await once(streaming, 'exit');
    const [done, cut] = (await loaded(one, 'streamed')).turns;
    assert.equal(done?.state.status, 'complete');
    assert.equal(cut?.state.status, 'interrupted');
    assert.equal(errorOf(cut)?.code, 'window-closed');
    assert.match(cut?.answer.text ?? '', /^(word ){3,}$/);
    const held = await loaded(one, 'streamed');
    assert.equal(await one.save({ ...held, turns: [...held.turns, turn('next', { parent: 'cut' })] }), true);
    assert.deepEqual(ids(await loaded(two, 'streamed')), ['done', 'cut', 'next']);
  });

  it('ignore the lock of a process that has ended, and remove its remains', async () => {
    const held = conversation('a', [turn('1')]);
    await one.save(held);
    const dead = child('end');
    await once(dead, 'exit');
    writeFileSync(workspace.path('a.lock'), JSON.stringify({ host: hostname(), pid: dead.pid, id: 'x' }));
    writeFileSync(workspace.path('a.json.1234.tmp'), 'half');
    assert.equal(await one.save({ ...held, turns: [...held.turns, turn('2')] }), true);
    assert.deepEqual(workspace.names(), ['a.json']);
  });

  it('lose nothing, for any order of operations', async () => {
    const step = fc.record({
      window: fc.nat({ max: 1 }),
      what: fc.constantFrom(
        ...['ask', 'edit', 'show', 'grow', 'grow', 'end', 'again', 'rename', 'pin', 'reopen', 'flush', 'list'],
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const own = new Workspace();
        try {
          await play(own, steps);
        } finally {
          await own.remove();
        }
      }),
      { numRuns: 60 },
    );
  });
});

/**
 * Two windows on one conversation; each changes its own turns. Everything that was ever saved must exist at the end.
 */
async function play(
  workspace: Workspace,
  steps: readonly { readonly window: number; readonly what: string }[],
): Promise<void> {
  const windows = [workspace.open(), workspace.open()].map((store) => ({ store, held: conversation('a', []) }));
  const [first, second] = windows;
  assert.ok(first && second);
  await first.store.save(first.held);
  second.held = (await second.store.load('a')) ?? first.held;
  const wanted = new Map<string, Turn>();
  const asked: [string[], string[]] = [[], []];
  let title: string | undefined;
  let isPinned = false;
  let last: Promise<unknown> = Promise.resolve();
  for (const [number, { window: index, what }] of steps.entries()) {
    const acting: { readonly store: ConversationStore; held: Conversation } = index === 0 ? first : second;
    const own = asked[index === 0 ? 0 : 1];
    const newest = acting.held.turns.find(({ id }) => id === own.at(-1));
    const put = (changed: Turn): void => {
      const isNew = !acting.held.turns.some(({ id }) => id === changed.id);
      const turns = acting.held.turns.map((old) => (old.id === changed.id ? changed : old));
      acting.held = { ...acting.held, turns: isNew ? [...turns, changed] : turns };
      wanted.set(changed.id, changed);
      void acting.store.save(acting.held);
    };
    const chosen = everything(acting.held)[number % Math.max(1, everything(acting.held).length)]?.id ?? '';
    if (what === 'ask' || what === 'edit') {
      if (what === 'edit') acting.held = cutBefore(acting.held, chosen);
      own.push(`${index}-${number}`);
      const parent = acting.held.turns.at(-1)?.id ?? null;
      put(turn(`${index}-${number}`, { status: 'waiting', answer: '', parent, askedAt: number }));
    } else if (what === 'show') {
      acting.held = showTurn(acting.held, chosen);
      void acting.store.save(acting.held);
    } else if (what === 'rename' || what === 'pin') {
      // One after the other, from either window, so that the order is known.
      title = what === 'rename' ? `title ${number}` : title;
      isPinned = what === 'pin' ? !isPinned : isPinned;
      const [toTitle, toPinned] = [title, isPinned];
      last = last.then(() =>
        what === 'rename' ? acting.store.rename('a', toTitle ?? '') : acting.store.setPinned('a', toPinned),
      );
    } else if (what === 'reopen') {
      acting.held = (await acting.store.load('a')) ?? acting.held;
    } else if (what === 'flush') {
      await acting.store.flush();
    } else if (what === 'list') {
      assert.equal((await acting.store.list()).length, 1);
    } else if (newest !== undefined) {
      if (what === 'grow')
        put(turnOf({ ...fieldsOf(newest), status: 'streaming', answer: `${newest.answer.text}${number} ` }));
      if (what === 'end') put(turnOf({ ...fieldsOf(newest), status: 'complete' }));
      if (what === 'again') put(turnOf({ ...fieldsOf(newest), status: 'waiting', answer: '' }));
    }
  }
  await last;
  for (const { store } of windows) await store.flush();
  const result = await workspace.open().load('a');
  const isOver = (status: string): boolean => ['complete', 'interrupted'].includes(status);
  assert.deepEqual(
    new Map(everything(result).map(({ id, answer, state }) => [id, { answer: answer.text, status: state.status }])),
    new Map(
      [...wanted].map(
        ([
          id,
          {
            answer,
            state: { status },
          },
        ]) => [id, { answer: answer.text, status: isOver(status) ? status : 'interrupted' }],
      ),
    ),
  );
  assert.deepEqual([result?.title, result?.isPinned === true], [title, isPinned]);
  assert.deepEqual([...ids(result)].sort(), asked.flat().sort());
  for (const [index, { parent }] of everything(result).entries()) {
    assert.ok(
      parent === null ||
        ids(result)
          .slice(0, index)
          .includes(parent ?? ''),
      'a turn stands after its parent',
    );
  }
  assert.deepEqual(workspace.names(), ['a.json']);
}
