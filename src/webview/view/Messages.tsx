import { usePanel } from '../panel.ts';
import { CardView } from './turn/Card.tsx';

/** Messages outside the conversation; each can be closed. */
export function Messages() {
  const { state, bridge } = usePanel();
  return state.messages.value.map(({ id, card }) => (
    <div key={id} class="notice" data-testid="message">
      <CardView card={card} close={() => bridge.tell('dismiss', { id })} />
    </div>
  ));
}
