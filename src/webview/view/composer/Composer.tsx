import { useEffect, useRef, useState } from 'preact/hooks';
import { errorText } from '../../channel.ts';
import { commandIn, draftIn, withStarter } from '../../draft.ts';
import { usePanel } from '../../panel.ts';
import { messageOf, pastedIn } from '../../pasted.ts';
import { Icon } from '../Icon.tsx';
import { AttachmentProblem, Chips } from './Chips.tsx';
import { Completions, listId, optionId } from './Completions.tsx';
import { Pasted, pastedLabel } from './Pasted.tsx';
import { PostureStrip } from './PostureStrip.tsx';
import { useAutoHeight } from './useAutoHeight.ts';
import { useCompletion } from './useCompletion.ts';
import { useDrop } from './useDrop.ts';
import { usePaste } from './usePaste.ts';
import { useRecall } from './useRecall.ts';

/** The input for messages, with the model and headers of the next request. */
export function Composer() {
  const { state, channel, strings, page, drafts } = usePanel();
  const [text, setText] = useState(() => draftIn(page.getState()));
  const [pasted, setPasted] = useState(() => pastedIn(page.getState()));
  const [error, setError] = useState<string>();
  const [isSending, setSending] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const drop = useDrop(setError);
  const popup = useCompletion(area, setText, setError);
  const isBusy = state.isBusy.value;
  const mayKeep = state.mayKeepDraft.value;
  const model = state.model.value;

  useEffect(() => {
    // Until the policy is known, the saved state of an earlier page stays.
    if (mayKeep !== undefined) drafts.keep(mayKeep, { draft: text, pasted });
  }, [drafts, mayKeep, text, pasted]);

  // The command may determine whose settings apply.
  const command = commandIn(text);
  useEffect(() => channel.tell('typeCommand', { name: command }), [channel, command]);

  const focusRequests = state.focusRequests.value;
  useEffect(() => {
    if (focusRequests > 0) area.current?.focus();
  }, [focusRequests]);

  const starter = state.starter.value;
  useEffect(() => {
    if (starter === undefined) return;
    setText((now) => withStarter(starter.text, now));
    area.current?.focus();
  }, [starter]);

  const preview = (): void => channel.tell('preview', { text: messageOf(text, pasted) });
  const previewRequests = state.previewRequests.value;
  useEffect(() => {
    if (previewRequests > 0) preview();
  }, [previewRequests]);

  const purges = state.purges.value;
  useEffect(() => {
    if (purges === 0) return;
    setText('');
    setPasted([]);
    state.editing.value = undefined;
  }, [purges]);

  useAutoHeight(area, text);
  const recall = useRecall(area, text, setText);
  const hold = (long: string): void => {
    setPasted([...pasted, long]);
    state.announced.value = pastedLabel(strings.pastedText, long);
  };
  const paste = usePaste((more) => messageOf(text, [...pasted, ...more]), setError, hold);
  const isEmpty = text.trim() === '' && pasted.length === 0;

  const send = async (): Promise<void> => {
    const message = messageOf(text, pasted);
    if (isBusy || isSending || isEmpty || paste.isTooLarge(message)) return;
    popup.close();
    setSending(true);
    setError(undefined);
    try {
      await channel.ask('send', { text: message });
      // Keeps what the user typed while the host was busy.
      setText((now) => (now === text ? '' : now));
      setPasted((now) => (now === pasted ? [] : now));
    } catch (caught) {
      setError(errorText(caught));
    } finally {
      setSending(false);
    }
  };
  const stopOrSend = (): void => {
    if (isBusy) channel.tell('stop');
    else void send();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (popup.onKeyDown(event) || recall(event)) return;
    // During IME composition, Enter accepts the suggestion (Safari reports 229).
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    void send();
  };
  const isListed = (popup.completion?.items?.length ?? 0) > 0;
  const buttonLabel = isBusy ? strings.stop : strings.send;

  return (
    <div class="composer">
      {error !== undefined && (
        <div class="composer-error" role="alert">
          <Icon name="error" />
          <span>{error}</span>
        </div>
      )}
      {popup.completion !== null && <Completions completion={popup.completion} anchor={box} choose={popup.choose} />}
      <div class="composer-box" ref={box} data-testid="composer-box" {...drop.handlers}>
        {drop.isOver && (
          <div class="drop-hint" data-testid="drop-hint">
            <Icon name="attach" />
            <span>{strings.dropHint}</span>
          </div>
        )}
        <Chips />
        <AttachmentProblem />
        <Pasted
          texts={pasted}
          remove={(gone) => {
            setPasted(pasted.filter((_, index) => index !== gone));
            area.current?.focus();
          }}
        />
        <textarea
          ref={area}
          rows={1}
          value={text}
          placeholder={strings.composerPlaceholder}
          aria-label={strings.composerPlaceholder}
          data-testid="composer"
          // A browser would save the text on its disk for autofill.
          autocomplete="off"
          // The popup belongs to the text: a screen reader follows its selected item.
          aria-autocomplete="list"
          aria-controls={isListed ? listId : undefined}
          aria-activedescendant={isListed ? optionId(popup.completion?.selected ?? 0) : undefined}
          onInput={(event) => {
            setText(event.currentTarget.value);
            popup.onInput();
          }}
          onPaste={paste.onPaste}
          onKeyDown={onKeyDown}
          onKeyUp={popup.onCaret}
          onClick={popup.onCaret}
          onBlur={popup.close}
        />
        <div class="composer-row">
          <div class="composer-facts">
            <button
              type="button"
              class="model"
              data-testid="model"
              title={`${strings.model}: ${model}`}
              aria-label={`${strings.model}: ${model}`}
              onClick={() => channel.tell('act', { action: 'selectModel' })}
            >
              <span class="model-label">{model === '' ? strings.model : model}</span>
              <Icon name="chevron-down" />
            </button>
            <PostureStrip />
          </div>
          <button
            type="button"
            class="icon-button"
            data-testid="attach"
            title={strings.attach}
            aria-label={strings.attach}
            onClick={() => channel.tell('attach')}
          >
            <Icon name="attach" />
          </button>
          <button
            type="button"
            class="icon-button"
            data-testid="preview"
            title={strings.preview}
            aria-label={strings.preview}
            onClick={preview}
          >
            <Icon name="eye" />
          </button>
          {/* One element for both, so that the focus stays when its function changes. */}
          <button
            type="button"
            class="icon-button submit"
            data-testid={isBusy ? 'stop' : 'send'}
            title={buttonLabel}
            aria-label={buttonLabel}
            // Not `disabled`: that would remove the focus from the button that was just pressed.
            aria-disabled={!isBusy && (isSending || isEmpty)}
            onClick={stopOrSend}
          >
            <Icon name={isBusy ? 'stop-circle' : 'send'} />
          </button>
        </div>
      </div>
    </div>
  );
}
