import type { Card } from '../protocol/card.ts';
import type { ViewState } from '../protocol/panelEvents.ts';
import type { ToolStepView, TurnView } from '../protocol/turnView.ts';
import type { ViewStrings } from '../protocol/viewStrings.ts';
import { countFences } from './markdown/fence.ts';
import { fill } from './text.ts';

/**
 * What a screen reader announces for the step from one state to the next; nothing for a turn that is new, so that
 * opening the panel does not read out the history. The answer itself is read when the user navigates to it.
 */
export function announcement(before: ViewState | null, after: ViewState | null, strings: ViewStrings): string {
  if (before === null || after === null) return '';
  const said: string[] = before.attachmentProblem === after.attachmentProblem ? [] : [after.attachmentProblem];
  if (before.messages !== after.messages) {
    const fresh = after.messages.filter((message) => !before.messages.includes(message));
    said.push(...fresh.map(({ card }) => errorText(card)));
  }
  if (before.turns === after.turns) return said.join(' ');
  for (const [index, turn] of after.turns.entries()) {
    // While an answer streams, all turns but one stay identical, in a conversation of any length.
    if (turn === before.turns[index]) continue;
    const earlier = before.turns.find(({ id }) => id === turn.id);
    if (earlier === undefined) continue;
    if (earlier.status !== turn.status) said.push(aboutTurn(turn, strings));
    const asking = askingIn(turn);
    if (asking !== undefined && askingIn(earlier)?.id !== asking.id) said.push(fill(strings.toolAsks, asking.title));
  }
  return said.filter((text) => text !== '').join(' ');
}

function askingIn({ steps = [] }: TurnView): ToolStepView | undefined {
  return steps.find(({ state }) => state === 'asking');
}

function errorText({ title, detail }: Card): string {
  return [title, detail].filter((text) => text !== undefined).join(' ');
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
      return turn.retry?.reason ?? '';
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
