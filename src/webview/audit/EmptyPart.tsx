import type { ComponentChildren } from 'preact';
import { Icon } from '../view/Icon.tsx';
import { useAudit } from './state.ts';

interface EmptyProps {
  readonly icon: string;
  readonly words: string;
  readonly testId: string;
  /** What the user can do. */
  readonly children?: ComponentChildren;
}

/** The page, or a part of it, without content. */
export function EmptyPart({ icon, words, testId, children }: EmptyProps) {
  return (
    <div class="empty-page" data-testid={testId}>
      <Icon name={icon} />
      <p>{words}</p>
      {children}
    </div>
  );
}

/** Shows the whole log, for a part that only the filters leave empty. */
export function ClearFilters() {
  const { state, strings } = useAudit();
  return (
    <button type="button" class="button secondary" data-testid="clear-filters" onClick={() => state.clear()}>
      {strings.clearFilters}
    </button>
  );
}
