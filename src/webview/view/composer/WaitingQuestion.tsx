import type { WaitingView } from '../../../protocol/panelEvents.ts';
import { usePanel } from '../../panel.ts';
import { Icon } from '../Icon.tsx';
import { useFocusBack } from '../turn/useFocusBack.ts';
import { Chip } from './Chips.tsx';

/** The question that waits for the end of an answer, with its actions. */
export function WaitingQuestion() {
  const { state } = usePanel();
  return state.waiting.value === undefined ? null : <Shown waiting={state.waiting.value} />;
}

function Shown({ waiting: { text, attachments, isSending } }: { readonly waiting: WaitingView }) {
  const { state, channel, strings } = usePanel();
  const part = useFocusBack<HTMLElement>();
  const isBusy = state.isBusy.value;
  const button = (act: 'send' | 'edit' | 'remove', label: string) => (
    <button
      type="button"
      class={act === 'send' && !isBusy && !isSending ? 'button' : 'button secondary'}
      data-testid={`waiting-${act}`}
      aria-disabled={act === 'send' && isSending}
      onClick={() => channel.tell('actOnWaiting', { act })}
    >
      {label}
    </button>
  );
  return (
    <section
      ref={part}
      class="card info waiting-question"
      data-testid="waiting-question"
      aria-label={strings.waitingQuestion}
    >
      <Icon name={isBusy || isSending ? 'clockface' : 'info'} />
      <div class="card-text">
        <div class="card-title">{isSending ? strings.sending : isBusy ? strings.waitsForAnswer : strings.notSent}</div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard */}
        <div class="waiting-text" data-testid="waiting-text" dir="auto" tabIndex={0}>
          {text}
        </div>
        {attachments.length > 0 && (
          <ul class="chips" aria-label={strings.attachments}>
            {attachments.map((chip) => (
              <Chip key={chip.id} chip={chip} />
            ))}
          </ul>
        )}
        <div class="actions">
          {button('send', isBusy ? strings.stopAndSend : strings.send)}
          {button('edit', strings.editWaiting)}
          {button('remove', strings.remove)}
        </div>
      </div>
    </section>
  );
}
