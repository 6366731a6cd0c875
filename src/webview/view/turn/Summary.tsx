import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { SummaryView } from '../../../protocol/turnView.ts';
import { errorText } from '../../channel.ts';
import { usePanel } from '../../panel.ts';
import { useAutoHeight } from '../composer/useAutoHeight.ts';
import { ErrorLine } from '../ErrorLine.tsx';
import { Icon } from '../Icon.tsx';
import { LeftOut } from './LeftOut.tsx';
import { Receipt } from './Receipt.tsx';

interface SummaryProps {
  readonly turnId: string;
  readonly summary: SummaryView;
  /** Its turns are shown above it. */
  readonly isOpen: boolean;
}

/** What is sent instead of the turns before it. Its text is plain: code in it cannot be used. */
export function Summary({ turnId, summary, isOpen }: SummaryProps) {
  const { state, channel, strings } = usePanel();
  const [isEditing, setEditing] = useState(false);
  const [error, setError] = useState<string>();
  const part = useRef<HTMLElement>(null);
  const pencil = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  const toggle = useRef<HTMLButtonElement>(null);
  const { text, label, footer, leftOut, contentLeftOut, receipt } = summary;
  const isBusy = state.isBusy.value;

  // Showing the turns moves this part to another place, with a new button.
  useLayoutEffect(() => {
    if (!state.isSummaryMoving) return;
    state.isSummaryMoving = false;
    toggle.current?.focus();
    toggle.current?.scrollIntoView({ block: 'nearest' });
  }, [state]);
  // Undo removes it.
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
          <SummaryEditor turnId={turnId} text={text} leave={() => setEditing(false)} />
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
                onClick={() => !isBusy && setEditing(true)}
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
          {receipt !== undefined && <Receipt receipt={receipt} />}
          <span class="footer-end" data-testid="summary-footer">
            {footer}
          </span>
        </div>
      </div>
    </section>
  );
}

interface EditorProps {
  readonly turnId: string;
  readonly text: string;
  readonly leave: () => void;
}

function SummaryEditor({ turnId, text: before, leave }: EditorProps) {
  const { channel, strings } = usePanel();
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(before);
  const [error, setError] = useState<string>();
  useEffect(() => area.current?.focus(), []);
  useAutoHeight(area, text);

  const save = async (): Promise<void> => {
    setError(undefined);
    try {
      await channel.ask('editSummary', { turnId, text });
      leave();
    } catch (caught) {
      setError(errorText(caught));
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // During IME composition, the key belongs to the input method (Safari reports 229).
    if (event.key !== 'Escape' || event.isComposing || event.keyCode === 229) return;
    // Ends only the editing, not the running answer.
    event.preventDefault();
    leave();
  };
  return (
    <>
      <ErrorLine error={error} />
      <div class="composer-box">
        <textarea
          ref={area}
          rows={3}
          value={text}
          aria-label={strings.editSummary}
          data-testid="summary-area"
          autocomplete="off"
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <div class="actions">
        <button type="button" class="button" data-testid="summary-save" onClick={() => void save()}>
          {strings.save}
        </button>
        <button type="button" class="button secondary" data-testid="summary-cancel" onClick={leave}>
          {strings.cancel}
        </button>
      </div>
    </>
  );
}
