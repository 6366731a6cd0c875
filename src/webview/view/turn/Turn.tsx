import { useMemo } from 'preact/hooks';
import { isLive } from '../../../protocol/turnStatus.ts';
import { usePanel } from '../../panel.ts';
import type { ShownTurn } from '../../state.ts';
import { Icon } from '../Icon.tsx';
import { Answer } from './Answer.tsx';
import { AnswerActions } from './AnswerActions.tsx';
import { CardView } from './Card.tsx';
import { Confirmation } from './Confirmation.tsx';
import { Question } from './Question.tsx';
import { Receipt } from './Receipt.tsx';
import { Retry } from './Retry.tsx';
import { OpenToolSteps, ToolSteps } from './ToolSteps.tsx';

/** Breaks lines between the parts, and inside them only if they do not fit. */
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
  const { id, status, answer, growing, steps = [], withoutTools, retry, confirmation, receipt, card, footer } = turn;
  const live = isLive(turn);
  return (
    <article class={live ? 'turn live' : 'turn'} data-testid="turn" data-status={status}>
      <h2 class="visually-hidden">{strings.you}</h2>
      <Question turn={turn} />
      <h2 class="visually-hidden">{strings.answer}</h2>
      <ToolSteps turnId={id} steps={steps} />
      <Answer turnId={id} text={answer} growing={growing} isDone={!live} isWhole={status === 'complete'} />
      <OpenToolSteps turnId={id} steps={steps} />
      {withoutTools !== undefined && <div class="without-tools">{withoutTools}</div>}
      {status === 'waiting' && (
        <div class="progress">
          <Icon name="loading" isSpinning />
          <span>{strings.waiting}</span>
        </div>
      )}
      {status === 'retrying' && retry !== undefined && <Retry turnId={id} {...retry} />}
      {confirmation !== undefined && <Confirmation turnId={id} confirmation={confirmation} />}
      {card !== undefined && <CardView card={card} turnId={id} />}
      {!live && receipt !== undefined && <Receipt receipt={receipt} />}
      {!live && (footer !== undefined || answer !== '') && (
        <div class="footer">
          {footer !== undefined && (
            <span class="footer-text" data-testid="footer">
              {partsOf(footer)}
            </span>
          )}
          <AnswerActions turn={turn} />
        </div>
      )}
    </article>
  );
}
