import type { Card, PanelMessage } from '../protocol/card.ts';
import type { ViewState } from '../protocol/panelEvents.ts';
import type { ReceiptView, ToolStepView, TurnView } from '../protocol/turnView.ts';
import type { ViewStrings } from '../protocol/viewStrings.ts';
import { countFences } from './markdown/fence.ts';
import { fill } from './text.ts';

/**
 * Returns what a screen reader announces when one state follows another. For a new turn, it announces only that the question was
 * sent, so that opening a conversation does not read it out. The answer is read when the user navigates to it.
 */
export function announcement(before: ViewState | null, after: ViewState | null, strings: ViewStrings): string {
  if (before === null || after === null) return '';
  const announcements: string[] = before.attachmentProblem === after.attachmentProblem ? [] : [after.attachmentProblem];
  if (before.messages !== after.messages) {
    // The card of a task in progress changes each second.
    const isKnown = ({ id, card }: PanelMessage): boolean =>
      card.isRunning === true && before.messages.some((message) => message.id === id);
    const fresh = after.messages.filter((message) => !before.messages.includes(message) && !isKnown(message));
    for (const { card } of fresh) announcements.push(errorText(card));
  }
  const isSameChat = before.conversationId === after.conversationId;
  if (isSameChat && before.mode.label !== after.mode.label) announcements.push(`${strings.mode}: ${after.mode.label}`);
  announcements.push(aboutWaiting(before, after, strings), aboutChanges(before, after, strings));
  if (before.turns === after.turns) return announcements.filter((text) => text !== '').join(' ');
  for (const [index, turn] of after.turns.entries()) {
    // While an answer streams, all turns but one stay identical, in a conversation of any length.
    if (turn === before.turns[index]) continue;
    const earlier = before.turns.find(({ id }) => id === turn.id);
    if (earlier === undefined) {
      if (turn.status === 'waiting' && isNext(before, after)) {
        // All announcements are one text: the announcement of a waiting question would interrupt the one of the answer before it.
        const last = before.waiting?.isSending ? before.turns.at(-1) : undefined;
        announcements.push(last === undefined ? '' : aboutTurn(last, strings), strings.questionSent, strings.waiting);
      }
      continue;
    }
    if (earlier.status !== turn.status) announcements.push(aboutTurn(turn, strings), contradictionsIn(receiptOf(turn)));
    if (waitsFor(earlier) === '') announcements.push(waitsFor(turn));
    if (turn.summary !== undefined && earlier.summary === undefined) {
      announcements.push(turn.summary.label, contradictionsIn(turn.summary.receipt));
    }
    if (turn.thought?.isOpen && !earlier.thought?.isOpen) announcements.push(turn.thought.label);
    const asking = askingIn(turn);
    const askedBefore = askingIn(earlier);
    if (asking !== undefined && (askedBefore?.id !== asking.id || askedBefore.asked !== asking.asked))
      announcements.push(asking.question ?? asking.title, asking.detail ?? '');
  }
  return announcements.filter((text) => text !== '').join(' ');
}

/** Announces that a question begins to wait, or that it is not sent because the answer before it is incomplete. */
function aboutWaiting(before: ViewState, after: ViewState, strings: ViewStrings): string {
  if (after.waiting === undefined || after.waiting.isSending) return '';
  if (before.waiting === undefined) return after.busy ? strings.waitsForAnswer : '';
  const last = after.turns.at(-1);
  if (after.busy || !before.busy || last === undefined) return '';
  return [aboutTurn(last, strings), strings.notSent].filter((text) => text !== '').join(' ');
}

/**
 * Announces what became of the proposed changes, and, when an answer ends, that they can be decided: not each change that the answer
 * proposes.
 */
function aboutChanges(before: ViewState, after: ViewState, strings: ViewStrings): string {
  const { changes, turns } = after;
  if (before.changes === changes || changes?.canDecide !== true || !isNext(before, after)) return '';
  if (before.changes?.canDecide !== false) return changes.title === before.changes?.title ? '' : changes.title;
  if (!changes.hasOpen) return '';
  // A separate announcement would interrupt the one of the answer.
  const last = turns.at(-1);
  return [last === undefined ? '' : aboutTurn(last, strings), changes.title].filter((text) => text !== '').join(' ');
}

/** Whether both states are of the same conversation. */
function isNext(before: ViewState, after: ViewState): boolean {
  return before.conversationId === after.conversationId;
}

function waitsFor(turn: TurnView): string {
  return ('waitsFor' in turn ? turn.waitsFor : undefined) ?? '';
}

/** Returns the receipt of a turn, or undefined if the turn has not ended. */
function receiptOf(turn: TurnView): ReceiptView | undefined {
  return 'receipt' in turn ? turn.receipt : undefined;
}

function askingIn({ steps = [] }: TurnView): ToolStepView | undefined {
  return steps.find(({ state }) => state === 'asking');
}

function errorText({ title, detail }: Card): string {
  return [title, detail].filter((text) => text !== undefined).join(' ');
}

/** Returns a text that lists the values in which the service's receipt differs from the request. */
function contradictionsIn(receipt: ReceiptView | undefined): string {
  return receipt?.verdict === 'contradicted' ? [`${receipt.label}.`, ...receipt.contradictions].join(' ') : '';
}

function aboutTurn(turn: TurnView, strings: ViewStrings): string {
  switch (turn.status) {
    case 'confirming':
      return strings.confirming;
    case 'streaming':
      return strings.answerStarted;
    case 'complete':
      return fill(strings.answerComplete, countFences(turn.answer));
    case 'retrying':
      return turn.retry.reason;
    case 'failed':
    case 'interrupted':
      return turn.card === undefined ? '' : errorText(turn.card);
    // The pending call itself announces its question.
    case 'calling':
    case 'waiting':
    case 'stopped':
      return '';
  }
}
