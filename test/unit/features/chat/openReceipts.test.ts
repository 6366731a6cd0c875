import assert from 'node:assert/strict';
import { OpenReceipts } from '../../../../src/features/chat/vscode/turn/openReceipts.ts';
import type { TurnMeta } from '../../../../src/protocol/turnView.ts';
import type { Receipt } from '../../../../src/send/message/receipt.ts';
import type { Summary } from '../../../../src/session/conversation/summary.ts';
import { type TurnFields, turnOf, type ViewFields } from '../../../tools/turns.ts';

const receipt: Receipt = {
  verdict: 'contradicted',
  headers: [{ name: 'Svc-Zero-Retention', requested: 'true', said: 'false', verdict: 'contradicted' }],
  text: '',
};
const view = {
  ...{ id: 't', context: [], model: '', status: 'complete' as const },
  receipt: { label: '', facts: [], headers: [], contradictions: [], text: '' },
  summary: {
    ...{ text: '', label: '', footer: '' },
    receipt: { label: '', facts: [], headers: [], contradictions: [], text: '' },
  },
} satisfies TurnMeta;

function changes(receipts: OpenReceipts, turn: TurnFields, conversation = 'c', isBusy = false): Receipt | undefined {
  const session = { conversation: { id: conversation, createdAt: 0, turns: [] }, isBusy };
  return receipts.onSession(session, { type: 'turn-changed', turn: turnOf(turn) });
}

const shown = (receipts: OpenReceipts): ViewFields => receipts.mark<TurnMeta>(view);
const isOpen = (receipts: OpenReceipts): boolean => shown(receipts).receipt?.isOpen === true;
const isSummaryOpen = (receipts: OpenReceipts): boolean => shown(receipts).summary?.receipt?.isOpen === true;

describe('openReceipts', () => {
  it('opens the receipt of a request that the service contradicts when its answer ends, until the user closes it', () => {
    const receipts = new OpenReceipts();
    assert.equal(changes(receipts, { status: 'streaming', receipt }), undefined);
    assert.equal(isOpen(receipts), false);
    assert.equal(changes(receipts, { status: 'complete', receipt }), receipt);
    assert.equal(isOpen(receipts), true);
    assert.equal(changes(receipts, { status: 'complete', receipt }), undefined, 'It is new once.');
    receipts.close('t', false);
    assert.equal(isOpen(receipts), false);
  });

  it('opens it again when the rest of the answer was asked for', () => {
    const receipts = new OpenReceipts();
    changes(receipts, { status: 'streaming', receipt });
    changes(receipts, { status: 'stopped', receipt });
    changes(receipts, { status: 'waiting', receipt });
    assert.equal(isOpen(receipts), false);
    assert.equal(changes(receipts, { status: 'complete', receipt }), receipt);
    assert.equal(isOpen(receipts), true);
  });

  it('opens none of a conversation from the disk, and none after the user has left the conversation', () => {
    const receipts = new OpenReceipts();
    assert.equal(changes(receipts, { status: 'complete', receipt }), undefined);
    assert.equal(isOpen(receipts), false);
    changes(receipts, { status: 'streaming', receipt });
    changes(receipts, { status: 'complete', receipt });
    changes(receipts, { id: 'other', status: 'waiting' }, 'another');
    changes(receipts, { id: 'third', status: 'waiting' });
    assert.equal(isOpen(receipts), false);
  });

  it('opens none that confirms, or that reports nothing', () => {
    for (const verdict of ['confirmed', 'not-confirmed'] as const) {
      const receipts = new OpenReceipts();
      changes(receipts, { status: 'streaming' });
      assert.equal(changes(receipts, { status: 'complete', receipt: { ...receipt, verdict } }), undefined);
      assert.equal(isOpen(receipts), false);
    }
    const receipts = new OpenReceipts();
    changes(receipts, { status: 'streaming' });
    assert.equal(changes(receipts, { status: 'failed' }), undefined);
  });

  it('opens that of a summary, even if the summary is edited afterwards, until the user closes it', () => {
    const receipts = new OpenReceipts();
    const summary = { text: 'Goal', turns: 2, model: 'm', receipt } as Summary;
    assert.equal(changes(receipts, { status: 'complete', summary }, 'c', false), undefined, 'from the disk');
    assert.equal(changes(receipts, { status: 'complete', summary }, 'c', true), receipt);
    assert.equal(changes(receipts, { status: 'complete', summary: { ...summary, text: 'New' } }), undefined);
    assert.deepEqual([isSummaryOpen(receipts), isOpen(receipts)], [true, false]);
    receipts.close('t', true);
    assert.equal(isSummaryOpen(receipts), false);
  });
});
