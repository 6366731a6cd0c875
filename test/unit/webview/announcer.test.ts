import assert from 'node:assert/strict';
import type { TurnView } from '../../../src/protocol/turnView.ts';
import type { ViewStrings } from '../../../src/protocol/viewStrings.ts';
import { announcement } from '../../../src/webview/announcer.ts';
import { draftIn } from '../../../src/webview/composer/draft.ts';
import { state, turn } from './viewStates.ts';

const strings = {
  answerStarted: 'begun',
  answerComplete: 'complete, {0} blocks',
  toolAsks: 'asks: {0}',
} as ViewStrings;

const step = (before: Partial<TurnView>, after: Partial<TurnView>): string =>
  announcement(
    { ...state, turns: [{ ...turn, ...before }] },
    { ...state, turns: [{ ...turn, ...before, ...after }] },
    strings,
  );

describe('webview/announcer', () => {
  it('announces the start of an answer, and not its text', () => {
    assert.equal(step({ status: 'waiting' }, { status: 'streaming' }), 'begun');
    assert.equal(step({ status: 'streaming' }, { answer: 'more' }), '');
  });

  it('announces its completion, with the number of code blocks at any depth', () => {
    const answer = 'x\n```ts\n~~~\n```\n- a\n  ~~~~\n  b\n  ~~~~\n\n```no`';
    assert.equal(step({ answer, status: 'streaming' }, { status: 'complete' }), 'complete, 2 blocks');
  });

  it('announces why an attachment cannot be sent', () => {
    const attachmentProblem = 'Too much. Remove a.txt';
    assert.equal(announcement(state, { ...state, attachmentProblem }, strings), attachmentProblem);
    assert.equal(announcement({ ...state, attachmentProblem }, state, strings), '');
  });

  it('announces notices once', () => {
    const message = {
      id: 'a',
      card: { severity: 'error', title: 'Not saved.', detail: 'Full.', actions: [] },
    } as const;
    assert.equal(announcement(state, { ...state, messages: [message] }, strings), 'Not saved. Full.');
    assert.equal(announcement({ ...state, messages: [message] }, { ...state, messages: [] }, strings), '');
  });

  it('announces why an answer failed', () => {
    const card = { severity: 'error', title: 'No answer.', detail: 'Try later.', actions: [] } as const;
    assert.equal(step({ status: 'waiting' }, { status: 'failed', card }), 'No answer. Try later.');
  });

  it('announces each call that waits for the user once', () => {
    const asking = { id: '0.0', title: 'read_file · a.ts', state: 'asking', note: '', input: '{}' } as const;
    const over = { ...asking, state: 'done' } as const;
    const next = { ...asking, id: '0.1', title: 'git_diff' };
    assert.equal(step({ status: 'waiting' }, { status: 'calling', steps: [asking] }), 'asks: read_file · a.ts');
    assert.equal(step({ status: 'calling', steps: [asking] }, { steps: [{ ...asking }] }), '');
    assert.equal(step({ status: 'calling', steps: [asking] }, { steps: [over, next] }), 'asks: git_diff');
  });

  it('announces no history', () => {
    assert.equal(announcement(null, state, strings), '');
    assert.equal(announcement({ ...state, turns: [] }, state, strings), '');
  });
});

describe('webview/draft', () => {
  it('reads any stored value', () => {
    assert.deepEqual([{ draft: 'a' }, { draft: 1 }, null, undefined, 'a'].map(draftIn), ['a', '', '', '', '']);
  });
});
