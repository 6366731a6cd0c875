import { usePanel } from '../panel.ts';
import { Icon } from './Icon.tsx';

/** The panel before the first question; offers questions when nothing prevents sending. */
export function Empty() {
  const { state, strings } = usePanel();
  const isReady = state.notice.value === undefined;
  return (
    <div class="empty" data-testid="empty">
      <Icon name="comment-discussion" />
      <h2>{strings.emptyTitle}</h2>
      <p>{strings.emptyHint}</p>
      {isReady && (
        <>
          <div class="starters">
            {strings.starters.map(({ text, label, icon }) => (
              <button
                key={text}
                type="button"
                class="starter"
                data-testid="starter"
                onClick={() => {
                  state.starter.value = { text };
                }}
              >
                <Icon name={icon} />
                <span>{label}</span>
              </button>
            ))}
          </div>
          <p>{strings.startersHint}</p>
        </>
      )}
    </div>
  );
}
