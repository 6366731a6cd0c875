import { usePanel } from '../panel.ts';
import { Icon } from './Icon.tsx';

/** What the panel says before the first question. */
export function Empty() {
  const { strings } = usePanel();
  return (
    <div class="empty" data-testid="empty">
      <Icon name="comment-discussion" />
      <h2>{strings.emptyTitle}</h2>
      <p>{strings.emptyHint}</p>
    </div>
  );
}
