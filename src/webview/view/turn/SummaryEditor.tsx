import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { errorText } from '../../channel.ts';
import { isForInputMethod } from '../../inputMethod.ts';
import { usePanel } from '../../panel.ts';
import { useAutoHeight } from '../composer/useAutoHeight.ts';
import { ErrorLine } from '../Icon.tsx';

interface SummaryEditorProps {
  readonly turnId: string;
  /** Whether the editor takes the focus: true if the user has just opened it, false if it is only drawn again. */
  readonly takesFocus: boolean;
}

/** Edits a summary. Its text is kept while the page is hidden, as far as the policy allows. */
export function SummaryEditor({ turnId, takesFocus }: SummaryEditorProps) {
  const { state, channel, strings } = usePanel();
  const area = useRef<HTMLTextAreaElement>(null);
  const [error, setError] = useState<string>();
  const text = state.editedSummary.value?.text ?? '';
  const leave = (): void => {
    state.editedSummary.value = undefined;
  };
  useLayoutEffect(() => {
    if (takesFocus) area.current?.focus();
  }, []);
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
    if (event.key !== 'Escape' || isForInputMethod(event)) return;
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
          dir="auto"
          value={text}
          aria-label={strings.editSummary}
          data-testid="summary-area"
          autocomplete="off"
          onInput={(event) => {
            state.editedSummary.value = { turnId, text: event.currentTarget.value };
          }}
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
