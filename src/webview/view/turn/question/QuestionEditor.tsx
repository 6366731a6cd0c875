import { useLayoutEffect, useRef } from 'preact/hooks';
import type { TurnView } from '../../../../protocol/turnView.ts';
import { isForInputMethod } from '../../../inputMethod.ts';
import { usePanel } from '../../../panel.ts';
import { useAutoHeight } from '../../composer/useAutoHeight.ts';
import { usePaste } from '../../composer/usePaste.ts';
import { ErrorLine, Icon } from '../../Icon.tsx';
import { IconButton } from '../../IconButton.tsx';
import { useEdit } from './useEdit.ts';

interface QuestionEditorProps {
  readonly turn: TurnView;
  /** Whether the editor takes the focus: true if the user has just opened it, false if it is only drawn again. */
  readonly takesFocus: boolean;
  /** Called when the user cancels the edit. */
  readonly onLeave: () => void;
}

/** Edits a question. Sending starts a branch; until then the conversation does not change. */
export function QuestionEditor({ turn, takesFocus, onLeave }: QuestionEditorProps) {
  const { state, strings } = usePanel();
  const area = useRef<HTMLTextAreaElement>(null);
  const { text, attachments, error, setError, change, send } = useEdit(turn.id);
  const cannotSend = state.isBusy.value || text.trim() === '';
  const paste = usePaste(([pasted = '']) => text + pasted, setError);

  // This cannot wait for the next frame: the user may have typed by then, and the caret would move.
  useLayoutEffect(() => {
    if (!takesFocus) return;
    const end = text.length;
    area.current?.focus();
    area.current?.setSelectionRange(end, end);
  }, []);
  useAutoHeight(area, text);

  const trySend = (): void => {
    if (!cannotSend && !paste.isTooLarge(text)) void send();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isForInputMethod(event)) return;
    if (event.key === 'Escape') {
      // Ends only the editing, not the running answer.
      event.preventDefault();
      onLeave();
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      trySend();
    }
  };

  return (
    <div class="question editing" data-testid="question-editor">
      <ErrorLine error={error} />
      <div class="composer-box">
        <KeptAttachments
          names={turn.context}
          kept={attachments}
          remove={(removed) => {
            change({ attachments: attachments.filter((index) => index !== removed) });
            area.current?.focus();
          }}
        />
        <textarea
          ref={area}
          rows={1}
          dir="auto"
          value={text}
          aria-label={strings.edit}
          data-testid="edit-text"
          autocomplete="off"
          onInput={(event) => change({ text: event.currentTarget.value })}
          onPaste={paste.onPaste}
          onKeyDown={onKeyDown}
        />
        <EditorRow canSend={!cannotSend} send={trySend} leave={onLeave} />
      </div>
    </div>
  );
}

interface EditorRowProps {
  readonly canSend: boolean;
  readonly send: () => void;
  readonly leave: () => void;
}

function EditorRow({ canSend, send, leave }: EditorRowProps) {
  const { state, strings } = usePanel();
  return (
    <div class="composer-row">
      <span class="edit-later" role="status">
        {state.isBusy.value ? strings.editLater : ''}
      </span>
      <IconButton icon="close" label={strings.cancel} testId="leave-edit" onClick={leave} />
      <IconButton
        icon="send"
        label={strings.send}
        kind="submit"
        testId="send-edit"
        isInactive={!canSend}
        onClick={send}
      />
    </div>
  );
}

interface KeptAttachmentsProps {
  readonly names: readonly string[];
  /** The indexes, in `names`, of the attachments that are sent again. */
  readonly kept: readonly number[];
  readonly remove: (index: number) => void;
}

function KeptAttachments({ names, kept, remove }: KeptAttachmentsProps) {
  const { strings } = usePanel();
  if (kept.length === 0) return null;
  return (
    <ul class="chips" aria-label={strings.attachments}>
      {names.map(
        (name, index) =>
          kept.includes(index) && (
            <li key={name} class="chip" data-testid="edit-chip" title={name}>
              <Icon name="file-code" />
              <span class="chip-label">{name}</span>
              <IconButton
                icon="close"
                label={`${strings.remove}: ${name}`}
                title={strings.remove}
                onClick={() => remove(index)}
              />
            </li>
          ),
      )}
    </ul>
  );
}
