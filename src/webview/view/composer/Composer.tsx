import { useEffect, useRef, useState } from 'preact/hooks';
import { isForInputMethod } from '../../inputMethod.ts';
import { usePanel } from '../../panel.ts';
import { ErrorLine, Icon } from '../Icon.tsx';
import { AttachmentProblem, Chips } from './Chips.tsx';
import { Completions } from './Completions.tsx';
import { ComposerRow } from './ComposerRow.tsx';
import { MessageArea } from './MessageArea.tsx';
import { NextStep } from './NextStep.tsx';
import { Pasted, pastedLabel } from './Pasted.tsx';
import { ProposedChanges } from './ProposedChanges.tsx';
import { useAutoHeight } from './useAutoHeight.ts';
import { useCompletion } from './useCompletion.ts';
import { useDraft } from './useDraft.ts';
import { useDrop } from './useDrop.ts';
import { usePaste } from './usePaste.ts';
import { useRecall } from './useRecall.ts';
import { useSend } from './useSend.ts';
import { useTextSize } from './useTextSize.ts';
import { WaitingQuestion } from './WaitingQuestion.tsx';

/** The input for messages, with the model and headers of the next request. */
export function Composer() {
  const { state, channel, strings } = usePanel();
  const [error, setError] = useState<string>();
  const area = useRef<HTMLTextAreaElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const draft = useDraft();
  const { text, pasted, setText, setPasted, message } = draft;
  const drop = useDrop(setError);
  const popup = useCompletion(area, setError);
  useAutoHeight(area, text);
  useTextSize(draft);
  const recall = useRecall(area, text, setText);
  const paste = usePaste(message, setError, (long) => {
    setPasted([...pasted, long]);
    state.announced.value = pastedLabel(strings.pastedText, long);
  });
  const begin = (): boolean => {
    if (paste.isTooLarge(message())) return false;
    popup.close();
    setError(undefined);
    return true;
  };
  const { send, isSending } = useSend(draft, begin, setError);
  const preview = (): void => channel.tell('preview', { text: message() });
  useRequests(state.focusRequests.value, () => area.current?.focus());
  useRequests(state.previewRequests.value, preview);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (popup.onKeyDown(event) || recall(event)) return;
    // An Enter that accepts a suggestion of the input method does not send.
    if (event.key !== 'Enter' || event.shiftKey || isForInputMethod(event)) return;
    event.preventDefault();
    // A key that is still held after it has pressed a button, which gave the focus to the composer, does not send.
    if (!event.repeat) void send();
  };
  const removePasted = (gone: number): void => {
    setPasted(pasted.filter((_, index) => index !== gone));
    area.current?.focus();
  };
  return (
    <div class="composer">
      <ProposedChanges />
      <NextStep />
      <WaitingQuestion />
      <ErrorLine error={error} />
      {popup.completion !== null && <Completions completion={popup.completion} anchor={box} choose={popup.choose} />}
      <div class="composer-box" ref={box} data-testid="composer-box" {...drop.handlers}>
        {drop.isOver && <DropHint />}
        <Chips />
        <AttachmentProblem />
        <Pasted texts={pasted} remove={removePasted} />
        <MessageArea {...{ area, text, popup, setText, onKeyDown }} onPaste={paste.onPaste} />
        <ComposerRow
          canSend={!isSending && !draft.isEmpty}
          isSending={isSending}
          addContext={popup.begin}
          send={() => void send()}
          preview={preview}
        />
      </div>
    </div>
  );
}

/** Handles requests of the host. */
function useRequests(count: number, work: () => void): void {
  useEffect(() => {
    if (count > 0) work();
  }, [count]);
}

function DropHint() {
  const { strings } = usePanel();
  return (
    <div class="drop-hint" data-testid="drop-hint">
      <Icon name="attach" />
      <span>{strings.dropHint}</span>
    </div>
  );
}
