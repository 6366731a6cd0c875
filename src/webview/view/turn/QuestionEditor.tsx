import { useEffect, useRef, useState } from 'preact/hooks';
import type { TurnView } from '../../../protocol/turnView.ts';
import { errorText } from '../../channel.ts';
import { usePanel } from '../../panel.ts';
import { useAutoHeight } from '../composer/useAutoHeight.ts';
import { usePaste } from '../composer/usePaste.ts';
import { Icon } from '../Icon.tsx';

interface QuestionEditorProps {
  readonly turn: TurnView;
  /** The user keeps the question unchanged. */
  readonly onLeave: () => void;
}

/** Edits a question. Sending starts a branch; until then the conversation does not change. */
export function QuestionEditor({ turn, onLeave }: QuestionEditorProps) {
  const { state, channel, strings } = usePanel();
  const [error, setError] = useState<string>();
  const area = useRef<HTMLTextAreaElement>(null);
  const { text = '', attachments = [] } = state.editing.value ?? {};
  const isBusy = state.isBusy.value;
  const cannotSend = isBusy || text.trim() === '';

  useEffect(() => {
    const end = text.length;
    area.current?.focus();
    area.current?.setSelectionRange(end, end);
  }, []);
  useAutoHeight(area, text);

  const change = (part: { readonly text?: string; readonly attachments?: readonly number[] }): void => {
    state.editing.value = { turnId: turn.id, text, attachments, ...part };
  };
  const paste = usePaste(([pasted = '']) => text + pasted, setError);
  const send = async (): Promise<void> => {
    if (cannotSend || paste.isTooLarge(text)) return;
    setError(undefined);
    try {
      await channel.ask('edit', { turnId: turn.id, text, attachments });
      state.editing.value = undefined;
      state.focusRequests.value += 1;
    } catch (caught) {
      setError(errorText(caught));
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // During IME composition, both keys belong to the input method (Safari reports 229).
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === 'Escape') {
      // Ends only the editing, not the running answer.
      event.preventDefault();
      onLeave();
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      void send();
    }
  };

  return (
    <div class="question editing" data-testid="question-editor">
      {error !== undefined && (
        <div class="composer-error" role="alert">
          <Icon name="error" />
          <span>{error}</span>
        </div>
      )}
      <div class="composer-box">
        {attachments.length > 0 && (
          <ul class="chips" aria-label={strings.attachments}>
            {turn.context.map(
              (name, index) =>
                attachments.includes(index) && (
                  <li key={name} class="chip" data-testid="edit-chip" title={name}>
                    <Icon name="file-code" />
                    <span class="chip-label">{name}</span>
                    <button
                      type="button"
                      class="icon-button"
                      aria-label={`${strings.remove}: ${name}`}
                      title={strings.remove}
                      onClick={() => {
                        change({ attachments: attachments.filter((kept) => kept !== index) });
                        area.current?.focus();
                      }}
                    >
                      <Icon name="close" />
                    </button>
                  </li>
                ),
            )}
          </ul>
        )}
        <textarea
          ref={area}
          rows={1}
          value={text}
          aria-label={strings.edit}
          data-testid="edit-text"
          autocomplete="off"
          onInput={(event) => change({ text: event.currentTarget.value })}
          onPaste={paste.onPaste}
          onKeyDown={onKeyDown}
        />
        <div class="composer-row">
          <span class="edit-later" role="status">
            {isBusy ? strings.editLater : ''}
          </span>
          <button
            type="button"
            class="icon-button"
            data-testid="leave-edit"
            title={strings.cancel}
            aria-label={strings.cancel}
            onClick={onLeave}
          >
            <Icon name="close" />
          </button>
          <button
            type="button"
            class="icon-button submit"
            data-testid="send-edit"
            title={strings.send}
            aria-label={strings.send}
            aria-disabled={cannotSend}
            onClick={() => void send()}
          >
            <Icon name="send" />
          </button>
        </div>
      </div>
    </div>
  );
}
