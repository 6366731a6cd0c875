import type { Card } from '../../protocol/card.ts';
import type { DisposableLike } from '../../util/disposable.ts';
import type { OwnAction } from './actions.ts';

/** A line about work that is under way. */
export interface WorkLine {
  readonly words: string;
  /** A request waits, and can be sent at once. */
  readonly canRetryNow?: boolean;
}

/** Work that the panel shows. */
export interface ShownWork {
  readonly show: (line: WorkLine) => void;
  readonly end: () => void;
}

/** A short note. */
export interface Hint {
  readonly words: string;
  readonly isWarning?: boolean;
  /** Leads to what the note is about. */
  readonly button?: Pick<OwnAction, 'label' | 'run'>;
}

/**
 * The panel, as long as the user sees it: VS Code shows its own messages at the lower right, over the composer of a panel
 * in the secondary side bar, so what the panel can show is shown there.
 */
interface PanelPlace {
  readonly isVisible: () => boolean;
  readonly begin: (title: string, cancel: () => void) => ShownWork;
  readonly fail: (card: Card, retry: (() => unknown) | undefined) => void;
  readonly hint: (hint: Hint) => void;
}

let place: PanelPlace | undefined;

/** Called when the panel exists. */
export function setPanelPlace(next: PanelPlace): DisposableLike {
  place = next;
  return {
    dispose: () => {
      if (place === next) place = undefined;
    },
  };
}

/** Undefined while the user does not see the panel. */
export function panelPlace(): Omit<PanelPlace, 'isVisible'> | undefined {
  return place?.isVisible() ? place : undefined;
}
