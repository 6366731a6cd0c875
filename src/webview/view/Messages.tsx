import { usePanel } from '../panel.ts';
import { CardView } from './turn/Card.tsx';

/** Messages outside the conversation; each can be closed. */
export function Messages() {
  const { state, channel } = usePanel();
  return state.messages.value.map(({ id, card }) => (
    <div key={id} class="notice" data-testid="message">
      <CardView
        card={card}
        messageId={id}
        {...(card.isRunning ? {} : { close: () => channel.tell('dismiss', { id }) })}
      />
    </div>
  ));
}
