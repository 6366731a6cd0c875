import type { ComponentChildren } from 'preact';
import { Icon } from '../view/Icon.tsx';
import { useAudit } from './state.ts';

interface EmptyProps {
  readonly icon: string;
  readonly words: string;
  readonly testId: string;
  /** The actions that the user can take. */
  readonly children?: ComponentChildren;
}

/** The placeholder for the page, or for a part of it, that has no content. */
export function EmptyPart({ icon, words, testId, children }: EmptyProps) {
  return (
    <div class="empty-page" data-testid={testId}>
      <Icon name={icon} />
      <p>{words}</p>
      {children}
    </div>
  );
}

/** A button that clears the filters, for a part that is empty only because of them. */
export function ClearFilters() {
  const { state, strings } = useAudit();
  return (
    <button type="button" class="button secondary" data-testid="clear-filters" onClick={() => state.clear()}>
      {strings.clearFilters}
    </button>
  );
}
