import type { Card } from '../../protocol/card.ts';
import type { DisposableLike } from '../../util/disposable.ts';
import type { OwnAction } from './actions.ts';

/** A line about work in progress. */
export interface WorkLine {
  readonly words: string;
  /** Whether a request is waiting, and can be sent immediately. */
  readonly canRetryNow?: boolean;
  readonly button?: Pick<OwnAction, 'label' | 'run'>;
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
  /** The button that opens what the note is about. */
  readonly button?: Pick<OwnAction, 'label' | 'run'>;
}

/**
 * The panel, while the user sees it. VS Code shows its own messages at the lower right, over the composer of a panel in the
 * secondary side bar, so messages are shown in the panel if possible.
 */
interface PanelPlace {
  readonly isVisible: () => boolean;
  readonly begin: (title: string, cancel: () => void) => ShownWork;
  readonly fail: (card: Card, retry: (() => unknown) | undefined) => void;
  readonly hint: (hint: Hint) => void;
}

let place: PanelPlace | undefined;

/** Sets the panel, when it exists. */
export function setPanelPlace(next: PanelPlace): DisposableLike {
  place = next;
  return {
    dispose: () => {
      if (place === next) place = undefined;
    },
  };
}

/** Returns the panel, or undefined while the user does not see it. */
export function panelPlace(): Omit<PanelPlace, 'isVisible'> | undefined {
  return place?.isVisible() ? place : undefined;
}
