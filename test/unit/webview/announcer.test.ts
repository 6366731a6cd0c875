import assert from 'node:assert/strict';
import type { TurnView } from '../../../src/protocol/turnView.ts';
import type { ViewStrings } from '../../../src/protocol/viewStrings.ts';
import { announcement } from '../../../src/webview/announcer.ts';
import { draftIn } from '../../../src/webview/composer/draft.ts';
import type { ViewFields } from '../../tools/turns.ts';
import { state, turn } from './viewStates.ts';

const strings = {
  questionSent: 'sent',
  waiting: 'waiting',
  answerStarted: 'begun',
  answerComplete: 'complete, {0} blocks',
  waitsForAnswer: 'it waits',
  notSent: 'not sent',
  mode: 'Mode',
} as ViewStrings;

const step = (before: ViewFields, after: ViewFields): string =>
  announcement(
    { ...state, turns: [{ ...turn, ...before } as TurnView] },
    { ...state, turns: [{ ...turn, ...before, ...after } as TurnView] },
    strings,
  );

describe('webview/announcer', () => {
  it('announces that a question was sent, but no text of a conversation that is opened', () => {
    const asked = { ...state, turns: [{ ...turn, status: 'waiting' as const }] };
    const none = { ...state, turns: [] };
    assert.equal(announcement(none, asked, strings), 'sent waiting');
    assert.equal(announcement({ ...none, conversationId: 'other' }, asked, strings), '');
    assert.equal(announcement(none, { ...state, turns: [{ ...turn, status: 'complete' }] }, strings), '');
  });

  it('announces the start of an answer, and not its text', () => {
    assert.equal(step({ status: 'waiting' }, { status: 'streaming' }), 'begun');
    assert.equal(step({ status: 'streaming' }, { answer: 'more' }), '');
  });

  it('announces that the model thinks, once, and not its text', () => {
    const thought = { label: 'Thinking…', isOpen: true };
    assert.equal(step({ status: 'waiting' }, { thought }), 'Thinking…');
    assert.equal(step({ status: 'waiting', thought }, { thinking: 'Hm.' }), '');
    assert.equal(step({ status: 'waiting', thought }, { thought: { label: 'Thought for 2 s', isOpen: false } }), '');
  });

  it('announces that earlier turns are summarized, and that they are', () => {
    const summary = { text: 'Goal', label: 'Summary of 2 turns.', footer: '' };
    assert.equal(step({ status: 'waiting' }, { waitsFor: 'Summarizing…' }), 'Summarizing…');
    assert.equal(step({ status: 'waiting', waitsFor: 'Summarizing…' }, { waitedMs: 1 }), '');
    assert.equal(step({ status: 'complete' }, { summary }), 'Summary of 2 turns.');
    assert.equal(step({ status: 'complete', summary }, { summary: { ...summary, text: 'New' } }), '');
  });

  it('announces its completion, with the number of code blocks at any depth', () => {
    const answer = 'x\n```ts\n~~~\n```\n- a\n  ~~~~\n  b\n  ~~~~\n\n```no`';
    assert.equal(step({ answer, status: 'streaming' }, { status: 'complete' }), 'complete, 2 blocks');
  });

  it('announces with the end of an answer what the service contradicts, once', () => {
    const receipt = {
      ...{ label: 'Different', facts: [], headers: [], text: '' },
      verdict: 'contradicted',
      contradictions: ['A: You asked for b; the service reports c.', 'D: You asked for e; the service reports f.'],
    } as const;
    const words = 'Different. A: You asked for b; the service reports c. D: You asked for e; the service reports f.';
    assert.equal(step({ status: 'streaming' }, { status: 'complete', receipt }), `complete, 0 blocks ${words}`);
    assert.equal(step({ status: 'streaming' }, { status: 'stopped', receipt }), words);
    assert.equal(step({ status: 'complete', receipt }, { siblings: ['a', 'b'] }), '');
    const { verdict: _, ...unreported } = { ...receipt, contradictions: [] };
    assert.equal(step({ status: 'streaming' }, { status: 'complete', receipt: unreported }), 'complete, 0 blocks');
    const opened = {
      ...state,
      conversationId: 'other',
      turns: [{ ...turn, id: 'old', status: 'complete' as const, receipt }],
    };
    assert.equal(announcement(state, opened, strings), '');
    const summary = { text: 'Goal', label: 'Summary of 2 turns.', footer: '', receipt };
    assert.equal(step({ status: 'complete' }, { summary }), `Summary of 2 turns. ${words}`);
  });

  it('announces proposed changes with the end of the answer, not each of them, and then what became of them', () => {
    const ended = { ...state, busy: false, turns: [{ ...turn, status: 'complete' as const }] };
    const shown = { set: 's', version: 1 };
    const changes = { shown, title: 'Proposed: 1 file.', files: [], canDecide: false, hasOpen: true };
    const first = { ...state, changes };
    const second = { ...state, changes: { ...changes, title: 'Proposed: 2 files.' } };
    assert.equal(announcement(state, first, strings), '');
    assert.equal(announcement(first, second, strings), '');
    const over = { ...ended, changes: { ...second.changes, canDecide: true } };
    assert.equal(
      announcement({ ...ended, changes: second.changes }, over, strings),
      'complete, 0 blocks Proposed: 2 files.',
    );
    const written = { ...ended, changes: { ...over.changes, title: 'Written: 2 files.', hasOpen: false } };
    assert.equal(announcement(over, written, strings), 'Written: 2 files.');
    assert.equal(announcement(written, { ...written, changes: { ...written.changes, undo: 'Undo' } }, strings), '');
    // Later answers do not repeat what is decided.
    const later = { ...written, changes: { ...written.changes, canDecide: false } };
    assert.equal(announcement(written, later, strings), '');
    assert.equal(announcement(later, written, strings), '');
    assert.equal(announcement(written, ended, strings), '');
    // A conversation that is opened says nothing.
    assert.equal(announcement({ ...ended, conversationId: 'other' }, over, strings), '');
  });

  it('announces that a question waits, that it was not sent, and that it was, each with the answer before it', () => {
    const card = { severity: 'error', title: 'No answer.', actions: [] } as const;
    const waiting = { text: 'Next', attachments: [], isSending: false };
    const waits = { ...state, waiting };
    assert.equal(announcement(state, waits, strings), 'it waits');
    const failed = { ...waits, turns: [{ ...turn, status: 'failed' as const, card }] };
    assert.equal(announcement(failed, { ...failed, busy: false }, strings), 'No answer. not sent');
    const sending = { ...waits, busy: false, waiting: { ...waiting, isSending: true } };
    const over = { ...sending, turns: [{ ...turn, status: 'complete' as const }] };
    assert.equal(announcement({ ...over, busy: true }, over, strings), '');
    const next = { ...turn, id: 'next', status: 'waiting' as const };
    assert.equal(
      announcement(over, { ...over, turns: [...over.turns, next] }, strings),
      'complete, 0 blocks sent waiting',
    );
    const { waiting: _, ...none } = { ...failed, busy: false };
    assert.equal(announcement(failed, none, strings), '');
  });

  it('announces another mode, but not that of another conversation', () => {
    const change = { ...state, mode: { ...state.mode, label: 'Change' } };
    assert.equal(announcement(state, change, strings), 'Mode: Change');
    assert.equal(announcement(change, { ...change, mode: { ...change.mode, whyNoChange: 'Off.' } }, strings), '');
    assert.equal(announcement(state, { ...change, conversationId: 'other' }, strings), '');
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
    // Work that is under way is announced when it begins, and not each second.
    const work = (detail: string) => ({
      ...state,
      messages: [{ id: 'work-1', card: { ...message.card, isRunning: true as const, title: 'Reviewing', detail } }],
    });
    assert.match(announcement(state, work('1 of 9'), strings), /^Reviewing/);
    assert.equal(announcement(work('1 of 9'), work('2 of 9'), strings), '');
  });

  it('announces why an answer failed', () => {
    const card = { severity: 'error', title: 'No answer.', detail: 'Try later.', actions: [] } as const;
    assert.equal(step({ status: 'waiting' }, { status: 'failed', card }), 'No answer. Try later.');
  });

  it('announces each call that waits for the user once', () => {
    const asking = {
      id: '0.0',
      at: 0,
      title: 'Read a.ts',
      question: 'Svc wants to read a.ts',
      state: 'asking',
      note: '',
      input: '{}',
    } as const;
    const over = { ...asking, state: 'done' } as const;
    const next = { ...asking, id: '0.1', question: 'Svc wants to read the Git changes' };
    assert.equal(step({ status: 'waiting' }, { status: 'calling', steps: [asking] }), 'Svc wants to read a.ts');
    assert.equal(step({ status: 'calling', steps: [asking] }, { steps: [{ ...asking }] }), '');
    assert.equal(
      step({ status: 'waiting' }, { status: 'calling', steps: [{ ...asking, detail: 'npm test' }] }),
      'Svc wants to read a.ts npm test',
    );
    // The call is another one now, and is asked about again.
    assert.equal(
      step(
        { status: 'calling', steps: [{ ...asking, asked: 1 }] },
        { steps: [{ ...asking, asked: 2, detail: 'rm x' }] },
      ),
      'Svc wants to read a.ts rm x',
    );
    assert.equal(
      step({ status: 'calling', steps: [asking] }, { steps: [over, next] }),
      'Svc wants to read the Git changes',
    );
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
