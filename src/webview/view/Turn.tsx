import { useMemo } from 'preact/hooks';
import type { TurnView } from '../../protocol/messages.ts';
import { usePanel } from '../panel.ts';
import { Answer } from './Answer.tsx';
import { CardView } from './Card.tsx';
import { CopyAnswer } from './CopyAnswer.tsx';
import { Icon } from './Icon.tsx';
import { Receipt } from './Receipt.tsx';
import { Retry } from './Retry.tsx';
import { Review } from './Review.tsx';

/** A question and its answer. */
export function Turn({ turn }: { readonly turn: TurnView }) {
  // A turn that did not change is the same element again, which Preact then skips.
  return useMemo(() => <TurnBody turn={turn} />, [turn]);
}

function TurnBody({ turn }: { readonly turn: TurnView }) {
  const { strings } = usePanel();
  const { id, prompt, context, status, answer, retry, review, receipt, card, footer } = turn;
  const isLive = status === 'reviewing' || status === 'waiting' || status === 'retrying' || status === 'streaming';
  return (
    <article class={isLive ? 'turn live' : 'turn'} data-testid="turn" data-status={status}>
      <h2 class="visually-hidden">{strings.you}</h2>
      <div class="question">
        <div class="prompt" data-testid="prompt">
          {prompt}
        </div>
        {context.length > 0 && (
          <ul class="context">
            {context.map((name) => (
              <li key={name} title={name}>
                <Icon name="file-code" />
                <span>{name}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
      <h2 class="visually-hidden">{strings.answer}</h2>
      <Answer turnId={id} text={answer} isDone={!isLive} isWhole={status === 'complete'} />
      {status === 'waiting' && (
        <div class="progress">
          <Icon name="loading" isSpinning />
          <span>{strings.waiting}</span>
        </div>
      )}
      {status === 'retrying' && retry !== undefined && <Retry turnId={id} {...retry} />}
      {review !== undefined && <Review turnId={id} review={review} />}
      {card !== undefined && <CardView card={card} turnId={id} />}
      {!isLive && receipt !== undefined && <Receipt receipt={receipt} />}
      {!isLive && (footer !== undefined || answer !== '') && (
        <div class="footer">
          {footer !== undefined && (
            <span class="footer-text" data-testid="footer">
              {footer}
            </span>
          )}
          {answer !== '' && <CopyAnswer text={answer} />}
        </div>
      )}
    </article>
  );
}
