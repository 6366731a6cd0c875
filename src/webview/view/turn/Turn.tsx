import { useMemo } from 'preact/hooks';
import { isLive } from '../../../protocol/turnStatus.ts';
import type { EndedTurn, LiveTurn } from '../../../protocol/turnView.ts';
import { usePanel } from '../../panel.ts';
import type { ShownTurn } from '../../state.ts';
import { Answer } from './Answer.tsx';
import { AnswerActions } from './AnswerActions.tsx';
import { CardView } from './Card.tsx';
import { Confirmation } from './Confirmation.tsx';
import { LeftOut } from './LeftOut.tsx';
import { Question } from './question/Question.tsx';
import { Receipt } from './Receipt.tsx';
import { Retry } from './Retry.tsx';
import { segmentsOf } from './segments.ts';
import { Thinking } from './Thinking.tsx';
import { OpenToolSteps, ToolSteps } from './ToolSteps.tsx';
import { Waiting } from './Waiting.tsx';

/** Splits a footer into parts, so that lines break between the parts, and inside a part only if it does not fit. */
function partsOf(footer: string) {
  const parts = footer.split(' · ');
  return parts.map((part, index) => [
    index > 0 && ' ',
    <span key={index} class="footer-part">
      {index < parts.length - 1 ? `${part} ·` : part}
    </span>,
  ]);
}

/** A question and its answer. */
export function Turn({ turn }: { readonly turn: ShownTurn }) {
  // Returns the same element for an unchanged turn, which Preact then skips.
  return useMemo(() => <TurnBody turn={turn} />, [turn]);
}

function TurnBody({ turn }: { readonly turn: ShownTurn }) {
  const { strings } = usePanel();
  const { id, status, answer, growing, steps = [], notes = [], thought, thinking = '' } = turn;
  const live = isLive(turn);
  return (
    <article class={live ? 'turn live' : 'turn'} data-testid="turn" data-turn={id} data-status={status}>
      <h2 class="visually-hidden">{strings.you}</h2>
      <Question turn={turn} />
      {turn.leftOut !== undefined && <LeftOut leftOut={turn.leftOut} />}
      {turn.contentLeftOut !== undefined && <LeftOut leftOut={turn.contentLeftOut} />}
      <h2 class="visually-hidden">{strings.answer}</h2>
      {thought !== undefined && <Thinking key={id} turnId={id} thought={thought} text={thinking} />}
      {segmentsOf(steps, answer).map(({ from, to, steps: called }) => {
        const isLast = to === undefined;
        // A long answer without tool calls is not copied while it grows.
        const text = from === 0 && isLast ? answer : answer.slice(from, to);
        const about = { turnId: id, from, text, growing: isLast ? growing : undefined, isWhole: isWhole(turn), isLast };
        return [
          (isLast || text.trim() !== '') && <Answer key={from} {...about} isDone={!live || !isLast} />,
          called.length > 0 && <ToolSteps key={called[0]?.id} turnId={id} steps={called} />,
        ];
      })}
      <OpenToolSteps turnId={id} steps={steps} />
      {notes.map((note) => (
        <div key={note} class="without-tools">
          {note}
        </div>
      ))}
      {isLive(turn) && <Progress turn={turn} />}
      {turn.notice !== undefined && <CardView card={turn.notice} turnId={id} />}
      {!isLive(turn) && <End turn={turn} />}
    </article>
  );
}

/** Whether the code of an answer may be used. */
function isWhole(turn: ShownTurn): boolean {
  switch (turn.status) {
    case 'complete':
      return turn.cut === undefined || turn.asksToUse === true;
    case 'stopped':
    case 'interrupted':
    case 'failed':
      return turn.asksToUse === true;
    case 'waiting':
    case 'confirming':
    case 'retrying':
    case 'streaming':
    case 'calling':
      return false;
  }
}

/** Shows what a turn waits for, and the decisions that the user can take. */
function Progress({ turn }: { readonly turn: LiveTurn }) {
  const { id, waitsFor, thought } = turn;
  const reason = waitsFor !== undefined && <div class="without-tools">{waitsFor}</div>;
  switch (turn.status) {
    case 'waiting':
      return thought?.isOpen === true ? null : <Waiting waitedMs={turn.waitedMs} waitsFor={waitsFor} />;
    case 'retrying':
      return (
        <>
          <Retry turnId={id} {...turn.retry} />
          {reason}
        </>
      );
    case 'confirming':
      return (
        <>
          {reason}
          <Confirmation key={turn.asked} turnId={id} confirmation={turn.confirmation} asked={turn.asked} />
        </>
      );
    case 'streaming':
    case 'calling':
      return <>{reason}</>;
  }
}

/** Shows how a turn ended. */
function End({ turn }: { readonly turn: EndedTurn }) {
  const { id, answer, receipt, footer } = turn;
  const card = turn.status === 'interrupted' || turn.status === 'failed' ? turn.card : undefined;
  return (
    <>
      {card !== undefined && <CardView card={card} turnId={id} />}
      {(receipt !== undefined || footer !== undefined || answer !== '') && (
        <div class="footer">
          {receipt !== undefined && <Receipt receipt={receipt} turnId={id} />}
          <div class="footer-end">
            {footer !== undefined && <span data-testid="footer">{partsOf(footer)}</span>}
            <AnswerActions turn={turn} />
          </div>
        </div>
      )}
    </>
  );
}
