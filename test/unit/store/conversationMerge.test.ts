import assert from 'node:assert/strict';
import type { Mode } from '../../../src/protocol/mode.ts';
import type { Conversation } from '../../../src/session/conversation/conversation.ts';
import type { Summary } from '../../../src/session/conversation/summary.ts';
import { errorOf, type Turn } from '../../../src/session/conversation/turn.ts';
import { contentOf, conversationFrom } from '../../../src/store/conversations/conversationFile.ts';
import { type Knowledge, mergeSnapshot } from '../../../src/store/conversations/conversationMerge.ts';
import type { StoredConversation } from '../../../src/store/conversations/conversationShape.ts';
import { textOf } from '../../../src/store/conversations/conversationText.ts';
import { ServiceError } from '../../../src/util/errors.ts';
import { attachment } from '../session/attachment.ts';
import { conversation, turn } from './conversationSamples.ts';

const nothingKnown: Knowledge = { isKnown: () => false, revisionOf: () => undefined };

function stored(...turns: readonly Turn[]): StoredConversation {
  return mergeSnapshot(undefined, conversation('a', turns), nothingKnown, 1).conversation;
}

describe('store: merging two windows’ changes of a turn', () => {
  const waiting = turn('1', { status: 'waiting', answer: '' });
  const failed = turn('1', { status: 'failed', answer: '' });
  const streaming = turn('1', { status: 'streaming', answer: 'some' });
  const stopped = turn('1', { status: 'stopped', answer: 'part' });
  const complete = turn('1', { answer: 'c' });
  const byProgress = [waiting, failed, streaming, stopped, complete];

  it('takes the turn with more progress, and ours if equal', () => {
    for (const [rank, ours] of byProgress.entries()) {
      for (const [theirRank, theirs] of byProgress.entries()) {
        const merged = mergeSnapshot(stored(theirs), conversation('a', [ours]), nothingKnown, 2);
        const kept = rank >= theirRank ? ours : theirs;
        assert.deepEqual(merged.conversation.turns[0]?.end, stored(kept).turns[0]?.end);
        assert.equal(merged.conversation.turns[0]?.answer.text, kept.answer.text);
        assert.equal(merged.hasChanged, rank > theirRank);
        assert.deepEqual(merged.settled, rank >= theirRank ? ['1'] : []);
      }
    }
  });

  it('takes ours if theirs is the last one we saw', () => {
    const knowledge: Knowledge = { isKnown: () => false, revisionOf: () => 1 };
    const merged = mergeSnapshot(stored(complete), conversation('a', [waiting]), knowledge, 2);
    assert.deepEqual([merged.conversation.turns[0]?.end, merged.conversation.turns[0]?.revision], [undefined, 2]);
  });

  it('takes theirs if ours has not changed', () => {
    const knowledge: Knowledge = { isKnown: () => true, revisionOf: () => 0 };
    const merged = mergeSnapshot(stored(waiting), conversation('a', [complete]), knowledge, 2);
    assert.deepEqual([merged.conversation.turns[0]?.end, merged.hasChanged, merged.settled], [undefined, false, []]);
  });

  it('takes the later choice of a model, whichever window saves last', () => {
    const choosing = (id: string | null, at: number) => conversation('a', [turn('1')], { model: { id, at } });
    const save = (...snapshots: readonly ReturnType<typeof conversation>[]) =>
      snapshots.reduce<StoredConversation | undefined>(
        (file, snapshot) => mergeSnapshot(file, snapshot, nothingKnown, 1).conversation,
        undefined,
      );
    const none = conversation('a', [turn('1')]);
    assert.deepEqual(save(choosing('one', 1), choosing('two', 2), choosing('one', 1), none)?.model, {
      id: 'two',
      at: 2,
    });
    assert.deepEqual(save(choosing('two', 2), choosing('one', 1))?.model, { id: 'two', at: 2 });
    assert.deepEqual(save(choosing('one', 1), choosing(null, 3), choosing('one', 1))?.model, { id: null, at: 3 });
    assert.equal(save(none)?.model, undefined);
    const changed = mergeSnapshot(stored(turn('1')), choosing('one', 1), { ...nothingKnown, isKnown: () => true }, 9);
    assert.deepEqual([changed.hasChanged, changed.conversation.updatedAt], [true, 1]);
  });

  it('reads a choice of a model back, and takes a broken one for none', () => {
    const file = (model: unknown) =>
      contentOf(JSON.stringify({ version: 3, conversation: { ...stored(turn('1')), model } }), 'a');
    const read = (model: unknown) => {
      const content = file(model);
      assert.ok(content.outcome === 'ok');
      return conversationFrom(content.conversation).model;
    };
    assert.deepEqual(read({ id: 'svc/one', at: 5 }), { id: 'svc/one', at: 5 });
    assert.deepEqual(read({ id: null, at: 5 }), { id: null, at: 5 });
    for (const broken of [
      'svc/one',
      { id: 3, at: 5 },
      { id: 'x'.repeat(301), at: 5 },
      { id: 'x', at: -1 },
      { id: 'x' },
    ])
      assert.equal(read(broken), undefined);
  });

  it('takes the later choice of a mode, reads it back, and takes a broken or missing one for none', () => {
    const choosing = (id: Mode, at: number) => conversation('a', [turn('1')], { mode: { id, at } });
    const save = (file: StoredConversation | undefined, snapshot: Conversation) =>
      mergeSnapshot(file, snapshot, nothingKnown, 1).conversation;
    const both = save(save(save(undefined, choosing('plan', 1)), choosing('change', 2)), choosing('plan', 1));
    assert.deepEqual(both.mode, { id: 'change', at: 2 });
    assert.deepEqual(save(both, conversation('a', [turn('1')])).mode, { id: 'change', at: 2 });
    const read = (mode: unknown) => {
      const content = contentOf(JSON.stringify({ version: 3, conversation: { ...both, mode } }), 'a');
      assert.ok(content.outcome === 'ok');
      return conversationFrom(content.conversation).mode;
    };
    assert.deepEqual(read({ id: 'plan', at: 5 }), { id: 'plan', at: 5 });
    for (const broken of [
      'change',
      { id: 'agent', at: 5 },
      { id: ['change'], at: 5 },
      { id: 'change' },
      null,
      undefined,
    ])
      assert.equal(read(broken), undefined);
  });

  it('keeps the mode in which a question was asked', () => {
    const asked = turn('1');
    const planned = { ...asked, question: { ...asked.question, mode: 'plan' } } as const;
    const [back] = conversationFrom(stored(planned)).turns;
    assert.equal(back?.question.mode, 'plan');
    assert.equal(conversationFrom(stored(asked)).turns[0]?.question.mode, undefined);
  });

  it('keeps turns that only one window has, and reports when a turn last changed', () => {
    const old = stored(turn('1'), turn('2'));
    const merged = mergeSnapshot(old, conversation('a', [turn('1'), turn('3')]), nothingKnown, 9);
    assert.deepEqual(
      merged.conversation.turns.map(({ id }) => id),
      ['1', '2', '3'],
    );
    assert.equal(merged.conversation.updatedAt, 9);
    assert.equal(
      mergeSnapshot(old, conversation('a', [turn('1')], { title: 't' }), nothingKnown, 9).conversation.updatedAt,
      1,
    );
  });

  it('keeps the summary of a turn with it, takes the newer of two, and keeps what was undone away', () => {
    const summary: Summary = {
      ...{ text: '# Goal\n```ts\nx', turns: 14, model: 'm', usage: { totalTokens: 12 }, requestId: 'r1', masked: 1 },
      ...{ requested: [{ name: 'Svc-Security-Level', value: 'high', setBy: [] }], isEdited: true },
      shortened: { parts: [], counts: { turn: 1, attachment: 0, result: 2 }, tokens: 9 },
    };
    const back = (one: StoredConversation) => conversationFrom(one).turns[0]?.summary;
    const inMemory = { contentLeftOut: [{ files: ['.env'], lines: 4, where: null }] };
    const old = stored(turn('1', { summary: { ...summary, ...inMemory }, summarizing: 3 }));
    assert.doesNotMatch(textOf(old, '0011223344556677'), /\.env|summarizing/);
    assert.deepEqual(back(old), summary);
    const read = contentOf(textOf(old, '0011223344556677'), 'a');
    assert.deepEqual(read.outcome === 'ok' && back(read.conversation), summary);

    const seen = (revision: number): Knowledge => ({ isKnown: () => false, revisionOf: () => revision });
    const edited = turn('1', { summary: { ...summary, text: 'new' } });
    const merged = mergeSnapshot(old, conversation('a', [edited]), seen(1), 2).conversation;
    assert.deepEqual([back(merged)?.text, merged.turns[0]?.revision], ['new', 2]);
    const undone = mergeSnapshot(merged, conversation('a', [turn('1')]), seen(2), 3).conversation;
    assert.equal(back(undone), undefined);
    // A window that has not touched the turn changes no part of it.
    const other = mergeSnapshot(undone, conversation('a', [edited]), { ...seen(2), isKnown: () => true }, 4);
    assert.deepEqual([back(other.conversation), other.hasChanged], [undefined, false]);
  });

  it('reads a turn whose summary is damaged, and drops only the summary', () => {
    for (const summary of [7, 'text', { text: 7, turns: 1, model: 'm' }, { text: 'x', turns: -1, model: 'm' }]) {
      const file = { ...stored(turn('1')), turns: [{ ...stored(turn('1')).turns[0], summary }] };
      const found = contentOf(JSON.stringify({ version: 3, conversation: file }), 'a');
      assert.ok(found.outcome === 'ok');
      const [read] = conversationFrom(found.conversation).turns;
      assert.deepEqual([read?.answer.text, read?.summary], ['answer 1', undefined]);
    }
  });

  it('drops a damaged part of a turn, and keeps the rest', () => {
    const sent = { serviceRequestId: 'r1', masked: 2, repeated: ['a.ts'], secrets: 'mask' as const };
    const [whole] = stored(turn('1', { ...sent, origin: 'https://svc.test', places: ['file:///one'] })).turns;
    const read = (change: object) => {
      const file = { ...stored(turn('1')), turns: [{ ...whole, ...change }] };
      const found = contentOf(JSON.stringify({ version: 3, conversation: file }), 'a');
      assert.ok(found.outcome === 'ok', JSON.stringify(change));
      return conversationFrom(found.conversation).turns[0] ?? assert.fail();
    };
    const asked = (change: object) => read({ question: { ...whole?.question, ...change } }).question;
    assert.equal(asked({}).secrets, 'mask');
    for (const secrets of ['as-is', { asIsFor: 7 }, { asIsFor: 'x'.repeat(2001) }, {}, [], 7]) {
      assert.ok(!('secrets' in asked({ secrets })), JSON.stringify(secrets));
    }
    assert.ok(!('isZeroRetention' in asked({ isZeroRetention: true })));
    assert.deepEqual(asked({ outdated: 'a.ts', places: [7], origin: {} }), {
      ...turn('1').question,
      secrets: 'mask',
    });
    assert.equal(read({}).lastRequest?.masked, 2);
    for (const lastRequest of [7, [], {}, { model: 7 }, { ...whole?.lastRequest, model: 'm'.repeat(301) }]) {
      assert.equal(read({ lastRequest }).lastRequest, undefined);
    }
    const odd = {
      ...whole?.lastRequest,
      headers: 7,
      masked: -1,
      repeated: [7],
      changesOnly: 7,
      readsLess: {},
      sentAgain: 'x',
    };
    const bare = { model: 'model-one', headers: [], masked: 0, repeated: [], changesOnly: [], serviceRequestId: 'r1' };
    assert.deepEqual(read({ lastRequest: odd }).lastRequest, bare);
  });

  it('takes a turn whose end is unknown as interrupted, and no state of a running turn from a file', () => {
    const [whole] = stored(turn('1')).turns;
    const read = (change: object) => {
      const file = { ...stored(turn('1')), turns: [{ ...whole, ...change }] };
      const found = contentOf(JSON.stringify({ version: 3, conversation: file }), 'a');
      assert.ok(found.outcome === 'ok', JSON.stringify(change));
      return conversationFrom(found.conversation).turns[0] ?? assert.fail();
    };
    assert.deepEqual(read({}).state, { status: 'complete', memory: {} });
    for (const end of [undefined, null, 7, 'complete', {}, { status: 'streaming' }, { status: 'other', error: {} }]) {
      const back = read({ end, state: { status: 'streaming', memory: { thinking: { text: 'x', ms: 1 } } } });
      assert.deepEqual(
        [back.state.status, errorOf(back)?.code, back.state.memory],
        ['interrupted', 'window-closed', {}],
      );
    }
    const error = { kind: 'server', status: 503 };
    assert.deepEqual(read({ end: { status: 'complete', error } }).state, { status: 'complete', memory: {} });
    assert.equal(errorOf(read({ end: { status: 'failed', error } }))?.status, 503);
    assert.equal(errorOf(read({ end: { status: 'failed', error: { kind: 'other' } } })), undefined);
  });

  it('rejects what could not be read back', () => {
    const attachments = Array.from({ length: 1001 }, () => attachment());
    assert.throws(() => stored(turn('1', { attachments })), { kind: 'storage', code: 'too-large' });
    const huge = stored(turn('1', { answer: 'x'.repeat(64 * 1024 * 1024) }));
    assert.throws(() => textOf(huge, '0011223344556677'), { kind: 'storage', code: 'too-large' });
  });

  it('writes nothing that it would not read', () => {
    const error = new ServiceError('server', 'x', {
      externalCode: 'c'.repeat(500),
      requestId: 'r'.repeat(500),
      status: 500,
    });
    const wild = turn('1', {
      finishReason: 'f'.repeat(500),
      serviceRequestId: 'r'.repeat(500),
      ...{ status: 'failed', error },
      prompt: '\ud800 \u0000',
    });
    const found = contentOf(textOf(stored(wild), '0011223344556677'), 'a');
    assert.equal(found.outcome, 'ok');
    const back = found.outcome === 'ok' ? conversationFrom(found.conversation).turns[0] : undefined;
    assert.deepEqual(
      [back?.answer.finishReason, back?.lastRequest?.serviceRequestId, errorOf(back)?.externalCode],
      [undefined, undefined, undefined],
    );
    assert.deepEqual([back?.question.prompt, errorOf(back)?.status], ['\ud800 \u0000', 500]);
  });

  it('reads the codes of an error that this version has, and takes every other one for an external code', () => {
    const revive = (error: object) => {
      const failed = stored(turn('1', { status: 'failed', error: error as ServiceError }));
      const back = errorOf(conversationFrom(failed).turns[0]);
      return [back?.kind, back?.code, back?.externalCode];
    };
    assert.deepEqual(revive({ kind: 'gate', code: 'excluded' }), ['gate', 'excluded', undefined]);
    assert.deepEqual(revive({ kind: 'network', code: 'EPIPE' }), ['network', undefined, 'EPIPE']);
    // As later versions, or other programs, may write it.
    assert.deepEqual(revive({ kind: 'gate', code: 'no-key' }), ['gate', undefined, 'no-key']);
    assert.deepEqual(revive({ kind: 'gate', code: 7 }), ['gate', undefined, undefined]);
    // A service may use a code of ours.
    assert.deepEqual(revive({ kind: 'auth', externalCode: 'no-key' }), ['auth', undefined, 'no-key']);
  });
});
