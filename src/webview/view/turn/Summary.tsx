import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { SummaryView } from '../../../protocol/turnView.ts';
import { errorText } from '../../channel.ts';
import { usePanel } from '../../panel.ts';
import { ErrorLine, Icon } from '../Icon.tsx';
import { LeftOut } from './LeftOut.tsx';
import { Receipt } from './Receipt.tsx';
import { SummaryEditor } from './SummaryEditor.tsx';

interface SummaryProps {
  readonly turnId: string;
  readonly summary: SummaryView;
  /** Whether the turns that the summary replaces are shown above it. */
  readonly isOpen: boolean;
}

/** The summary that is sent instead of the turns before it. It is plain text and offers no code to use. */
export function Summary({ turnId, summary, isOpen }: SummaryProps) {
  const { state, channel, strings } = usePanel();
  const isEditing = state.editedSummaryTurn.value === turnId;
  const [error, setError] = useState<string>();
  const part = useRef<HTMLElement>(null);
  const pencil = useRef<HTMLButtonElement>(null);
  const toggle = useRef<HTMLButtonElement>(null);
  const wasOpened = useRef(false);
  const { text, label, footer, leftOut, contentLeftOut, receipt } = summary;
  const isBusy = state.isBusy.value;

  useFocus({ part, pencil, toggle, isEditing });
  useLayoutEffect(() => {
    wasOpened.current = false;
  }, [isEditing]);

  const edit = (): void => {
    if (isBusy) return;
    wasOpened.current = true;
    state.editedSummary.value = { turnId, text };
  };
  const undo = (): void => {
    if (!isBusy) channel.ask('undoSummary', { turnId }).catch((caught) => setError(errorText(caught)));
  };
  const showTurns = (): void => {
    state.isSummaryMoving = true;
    state.openedSummary.value = isOpen ? undefined : turnId;
  };
  const title = isBusy ? strings.editLater : undefined;
  return (
    <section ref={part} class="card info summary" data-testid="summary" aria-label={label}>
      <Icon name="info" />
      <div class="card-text">
        <div class="card-title">{label}</div>
        <ErrorLine error={error} />
        {isEditing ? (
          <SummaryEditor turnId={turnId} takesFocus={wasOpened.current} />
        ) : (
          <>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard */}
            <div class="summary-text" data-testid="summary-text" tabIndex={0}>
              {text}
            </div>
            <div class="actions">
              <button
                ref={pencil}
                type="button"
                class="button secondary"
                data-testid="summary-edit"
                aria-disabled={isBusy}
                title={title}
                onClick={edit}
              >
                {strings.editSummary}
              </button>
              <button
                ref={toggle}
                type="button"
                class="button secondary"
                data-testid="summary-turns"
                onClick={showTurns}
              >
                {isOpen ? strings.hideTurns : strings.showTurns}
              </button>
              <button
                type="button"
                class="button secondary"
                data-testid="summary-undo"
                aria-disabled={isBusy}
                title={title}
                onClick={undo}
              >
                {strings.undoSummary}
              </button>
            </div>
          </>
        )}
        {leftOut !== undefined && <LeftOut leftOut={leftOut} />}
        {contentLeftOut !== undefined && <LeftOut leftOut={contentLeftOut} />}
        <div class="footer">
          {receipt !== undefined && <Receipt receipt={receipt} turnId={turnId} isSummary />}
          <span class="footer-end" data-testid="summary-footer">
            {footer}
          </span>
        </div>
      </div>
    </section>
  );
}

interface FocusParts {
  readonly part: RefObject<HTMLElement | null>;
  readonly pencil: RefObject<HTMLButtonElement | null>;
  readonly toggle: RefObject<HTMLButtonElement | null>;
  readonly isEditing: boolean;
}

/** Keeps the focus near the button that was pressed, when another part replaces it. */
function useFocus({ part, pencil, toggle, isEditing }: FocusParts): void {
  const { state } = usePanel();
  const wasEditing = useRef(false);
  // Showing the turns moves this part to another place, with a new button.
  useLayoutEffect(() => {
    if (!state.isSummaryMoving) return;
    state.isSummaryMoving = false;
    toggle.current?.focus();
    toggle.current?.scrollIntoView({ block: 'nearest' });
  }, [state]);
  // Undo removes this part, so the focus goes to the composer.
  useLayoutEffect(
    () => () => {
      if (!state.isSummaryMoving && part.current?.contains(document.activeElement)) state.focusRequests.value += 1;
    },
    [state],
  );
  useLayoutEffect(() => {
    if (!isEditing && wasEditing.current) pencil.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
}
