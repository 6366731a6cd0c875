import type { Card } from '../../../protocol/card.ts';
import { usePanel } from '../../panel.ts';
import { Icon } from '../Icon.tsx';
import { IconButton } from '../IconButton.tsx';
import { useFocusBack } from './useFocusBack.ts';

interface CardProps {
  readonly card: Card;
  readonly turnId?: string;
  readonly messageId?: string;
  /** Closes the card; omitted if the user cannot close it. */
  readonly close?: () => void;
}

/** An error or a notice, with its actions. */
export function CardView({ card, turnId, messageId, close }: CardProps) {
  const { channel, strings } = usePanel();
  const part = useFocusBack<HTMLDivElement>();
  return (
    <div ref={part} class={card.isQuiet ? `card ${card.severity} quiet` : `card ${card.severity}`} data-testid="card">
      {card.isRunning ? <Icon name="loading" isSpinning /> : <Icon name={card.severity} />}
      <div class="card-text">
        <div class="card-title">{card.title}</div>
        {card.detail !== undefined && <div class="card-detail">{card.detail}</div>}
        {card.actions.length > 0 && (
          <div class="actions">
            {card.actions.map(({ id, label, setting }, index) => (
              <button
                key={`${id} ${label}`}
                type="button"
                class={index === 0 && !card.isQuiet ? 'button' : 'button secondary'}
                data-testid="card-action"
                data-action={id}
                onClick={() =>
                  channel.tell('act', {
                    action: id,
                    ...(turnId === undefined ? {} : { turnId }),
                    ...(messageId === undefined ? {} : { messageId }),
                    ...(setting === undefined ? {} : { setting }),
                  })
                }
              >
                {label}
              </button>
            ))}
          </div>
        )}
      </div>
      {close !== undefined && (
        <IconButton
          icon="close"
          label={`${strings.close}: ${card.title}`}
          title={strings.close}
          testId="close"
          onClick={close}
        />
      )}
    </div>
  );
}
