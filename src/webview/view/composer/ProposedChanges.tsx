import { useState } from 'preact/hooks';
import type { ChangeDecision, ChangeState, ChangesView } from '../../../protocol/changesView.ts';
import { usePanel } from '../../panel.ts';
import { Icon } from '../Icon.tsx';
import { IconButton } from '../IconButton.tsx';
import { ChangedFiles } from './ChangedFiles.tsx';
import { useNextFocus } from './useNextFocus.ts';

/** In a panel that is lower (px), the list would leave no room for the composer: it is closed until the user opens it. */
const lowPanel = 400;

/** The changes of files that the model has proposed, with the user's decisions. */
export function ProposedChanges() {
  const { state } = usePanel();
  const changes = state.changes.value;
  if (changes === undefined) return null;
  return changes.files.length === 0 ? <Gone title={changes.title} /> : <Shown changes={changes} />;
}

/** Says that the changes ended with their window. The next question removes it. */
function Gone({ title }: { readonly title: string }) {
  const { strings } = usePanel();
  return (
    <section class="card info changes" data-testid="changes" aria-label={strings.changes}>
      <Icon name="diff-multiple" />
      <div class="card-text" data-testid="changes-title">
        {title}
      </div>
    </section>
  );
}

function Shown({ changes: { shown, title, files, canDecide, hasOpen, undo } }: { readonly changes: ChangesView }) {
  const { channel, strings } = usePanel();
  const [opensList] = useState(() => window.innerHeight >= lowPanel);
  const part = useNextFocus<HTMLElement>();
  const mustReview = files.some((file) => file.mustReview);
  const all = (decision: ChangeDecision, label: string, ...states: readonly ChangeState[]) =>
    canDecide &&
    files.filter(({ state }) => states.includes(state)).length > 1 && (
      <button
        type="button"
        class={decision === 'accept' ? 'button' : 'button secondary'}
        data-testid={`${decision}-changes`}
        onClick={() => channel.tell('decideChanges', { shown, decision })}
      >
        {label}
      </button>
    );
  return (
    <section ref={part} class="card info changes" data-testid="changes" aria-label={strings.changes}>
      <Icon name="diff-multiple" />
      <details class="card-text" open={opensList}>
        <summary class="card-title" data-testid="changes-title">
          {title}
        </summary>
        <ChangedFiles files={files} canDecide={canDecide} />
        {hasOpen && !canDecide && <div class="card-detail">{strings.decideLater}</div>}
        {mustReview && canDecide && <div class="card-detail">{strings.reviewFirst}</div>}
        <div class="actions">
          {!mustReview && all('accept', strings.acceptAllChanges, 'proposed')}
          {all('reject', strings.rejectAllChanges, 'proposed', 'stale')}
          {undo !== undefined && (
            <button
              type="button"
              class="button secondary"
              data-testid="undo-changes"
              onClick={() => channel.tell('undoChanges', { shown })}
            >
              {undo}
            </button>
          )}
        </div>
      </details>
      {!hasOpen && (
        <IconButton
          icon="close"
          label={`${strings.close}: ${title}`}
          title={strings.close}
          testId="close-changes"
          onClick={() => channel.tell('closeChanges')}
        />
      )}
    </section>
  );
}
