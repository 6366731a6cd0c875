import type { ChangeDecision, ChangedFileView, ChangeKind } from '../../../protocol/changesView.ts';
import type { ViewStrings } from '../../../protocol/viewStrings.ts';
import { usePanel } from '../../panel.ts';
import { Icon } from '../Icon.tsx';
import { IconButton } from '../IconButton.tsx';

const kindIcons: Readonly<Record<ChangeKind, string>> = {
  edit: 'diff-modified',
  create: 'diff-added',
  delete: 'diff-removed',
  rename: 'diff-renamed',
};

interface ChangedFileProps {
  readonly file: ChangedFileView;
  readonly canDecide: boolean;
  /** Whether Tab stops at its buttons. */
  readonly isStop: boolean;
  /** Called when one of its buttons gets the focus. */
  readonly onEnter: () => void;
}

/** A file with a proposed change: its diff on demand, and the user's decision. */
export function ChangedFile({ file, canDecide, isStop, onEnter }: ChangedFileProps) {
  const { channel, strings } = usePanel();
  const { id, version, kind, path, note, state, label, canCarryOver } = file;
  const canReject = canDecide && (state === 'proposed' || state === 'stale');
  const words = stateWords(file, strings);
  const detail = detailOf(file, strings) ?? words;
  const decide = (decision: ChangeDecision, icon: string, name: string) => (
    <IconButton
      icon={icon}
      label={`${name}: ${path}`}
      testId={`${decision}-change`}
      isStop={isStop}
      onClick={() => channel.tell('decideChange', { id, version, decision })}
    />
  );
  return (
    <li
      class="change"
      data-testid="change"
      data-kind={kind}
      data-state={state}
      data-open={canReject}
      onFocusIn={onEnter}
    >
      <button
        type="button"
        class="change-file"
        tabIndex={isStop ? 0 : -1}
        data-testid="open-change"
        title={[path, note, detail].filter((text) => text !== '').join('\n')}
        onClick={() => channel.tell('openChange', { id })}
      >
        <Icon name={kindIcons[kind]} />
        <span class="visually-hidden">{[label, detail].filter((text) => text !== '').join(', ')}</span>
        <span class="change-text" aria-hidden="true">
          <Path path={path} />
          <Lines file={file} />
          {note !== '' && <bdi class="change-note">{note}</bdi>}
        </span>
      </button>
      {words !== '' && (
        <span class="change-state" data-testid="change-state" aria-hidden="true">
          {words}
        </span>
      )}
      {canDecide && state === 'proposed' && !file.mustReview && decide('accept', 'check', strings.acceptChange)}
      {canReject && canCarryOver && (
        <IconButton
          icon="refresh"
          label={`${strings.carryOver}: ${path}`}
          testId="carry-over-change"
          isStop={isStop}
          onClick={() => channel.tell('carryOverChange', { id, version })}
        />
      )}
      {canReject && decide('reject', 'discard', strings.rejectChange)}
    </li>
  );
}

/** The name is shown before its folder; the text has them in the order of the path. */
function Path({ path }: Pick<ChangedFileView, 'path'>) {
  const end = path.lastIndexOf('/') + 1;
  return (
    <span class="change-path">
      {end > 0 && <bdi class="change-folder">{path.slice(0, end)}</bdi>}
      <bdi class="change-name">{path.slice(end)}</bdi>
    </span>
  );
}

function Lines({ file: { added, removed } }: Pick<ChangedFileProps, 'file'>) {
  if (added + removed === 0) return null;
  const { format } = new Intl.NumberFormat(document.documentElement.lang);
  return (
    <span class="change-lines">
      {added > 0 && <span class="ink-inserted">+{format(added)}</span>}
      {removed > 0 && <span class="ink-deleted">−{format(removed)}</span>}
    </span>
  );
}

/** Explains why a change cannot be accepted, and what the user can do. */
function detailOf({ state, canCarryOver, mustReview }: ChangedFileView, strings: ViewStrings): string | undefined {
  if (state === 'stale') return canCarryOver ? strings.changeCarryDetail : strings.changeStaleDetail;
  return mustReview ? strings.changeUnseenDetail : undefined;
}

/** The state of a change that cannot be accepted; otherwise empty. */
function stateWords({ state, mustReview }: ChangedFileView, strings: ViewStrings): string {
  switch (state) {
    case 'accepted':
      return strings.changeAccepted;
    case 'rejected':
      return strings.changeRejected;
    case 'undone':
      return strings.changeUndone;
    case 'stale':
      return strings.changeStale;
    case 'proposed':
      return mustReview ? strings.changeUnseen : '';
  }
}
