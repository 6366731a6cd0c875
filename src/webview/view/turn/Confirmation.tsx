import { useEffect, useRef } from 'preact/hooks';
import type { ConfirmationView } from '../../../protocol/turnView.ts';
import { usePanel } from '../../panel.ts';
import { Facts } from '../Facts.tsx';
import { Icon } from '../Icon.tsx';
import { useFocusBack } from './useFocusBack.ts';

interface ConfirmationProps {
  readonly turnId: string;
  readonly confirmation: ConfirmationView;
  /** The number of the question. */
  readonly asked: number;
}

/** Shows what would be sent, and asks for the user's decision. Nothing has been sent yet. */
export function Confirmation({ turnId, confirmation, asked }: ConfirmationProps) {
  const { state, channel, strings } = usePanel();
  const part = useFocusBack<HTMLElement>();
  const first = useRef<HTMLButtonElement>(null);
  // This takes the focus, so that the next key press after Enter answers here, unless the user has begun to type or read.
  useEffect(() => {
    const isReading = part.current?.closest('.transcript')?.contains(document.activeElement) ?? false;
    if (document.hasFocus() && !state.isTyping && !isReading) first.current?.focus();
  }, []);
  const decide = (choice: 'send-masked' | 'send-as-is' | 'cancel') => () =>
    channel.tell('decide', { turnId, asked, choice });
  const { title, facts, found, sendLabel, sendAsIsLabel } = confirmation;
  return (
    <section ref={part} class="card warning confirmation" data-testid="confirmation" aria-label={title}>
      <Icon name="shield" />
      <div class="card-text">
        <div class="card-title">{title}</div>
        {found.length > 0 && (
          <ul class="found" data-testid="found">
            {found.map((line, index) => (
              <li key={index}>{line}</li>
            ))}
          </ul>
        )}
        <Facts facts={facts} />
        <div class="actions">
          <button ref={first} type="button" class="button" data-testid="send-masked" onClick={decide('send-masked')}>
            {sendLabel}
          </button>
          {sendAsIsLabel !== undefined && (
            <button type="button" class="button secondary" data-testid="send-as-is" onClick={decide('send-as-is')}>
              {sendAsIsLabel}
            </button>
          )}
          <button
            type="button"
            class="button secondary"
            data-testid="show-exact-text"
            onClick={() => channel.tell('showExactText', { turnId })}
          >
            {strings.showExactText}
          </button>
          <button type="button" class="button secondary" data-testid="cancel-send" onClick={decide('cancel')}>
            {strings.cancel}
          </button>
        </div>
      </div>
    </section>
  );
}
