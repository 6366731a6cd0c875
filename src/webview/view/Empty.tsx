import { useState } from 'preact/hooks';
import { usePanel } from '../panel.ts';
import { Icon } from './Icon.tsx';
import { Named } from './Named.tsx';

/** The panel before the first question; offers questions when nothing prevents sending. */
export function Empty() {
  const { state, strings } = usePanel();
  return (
    <div class="empty" data-testid="empty">
      <Icon name="comment-discussion" />
      <h2>{strings.emptyTitle}</h2>
      <p>{strings.emptyHint}</p>
      {state.notice.value === undefined && <Starters />}
    </div>
  );
}

/** Questions about what is open; a click sends one. */
function Starters() {
  const { state, channel } = usePanel();
  const [isSending, setSending] = useState(false);
  const starters = state.starters.value;
  if (starters === undefined) return null;

  const ask = async (id: string): Promise<void> => {
    if (isSending || state.isBusy.value) return;
    setSending(true);
    // The button goes away with the first question.
    state.focusRequests.value += 1;
    await channel.ask('askStarter', { id }).catch(() => undefined);
    setSending(false);
  };
  return (
    <>
      {starters.items.length > 0 && (
        <div class="starters">
          {starters.items.map(({ id, label, icon }) => (
            <button key={icon} type="button" class="starter" data-testid="starter" onClick={() => ask(id)}>
              <Icon name={icon} />
              <Named {...label} />
            </button>
          ))}
        </div>
      )}
      <p data-testid="starters-hint">
        <Named {...starters.hint} />
      </p>
    </>
  );
}
