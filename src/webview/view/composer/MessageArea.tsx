import type { RefObject } from 'preact';
import { usePanel } from '../../panel.ts';
import { listId, optionId } from './Completions.tsx';
import type { CompletionControl } from './useCompletion.ts';

interface MessageAreaProps {
  readonly area: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly popup: CompletionControl;
  readonly setText: (text: string) => void;
  readonly onPaste: (event: ClipboardEvent) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** The text of the message. A popup belongs to it: a screen reader follows the popup's selected item. */
export function MessageArea({ area, text, popup, setText, onPaste, onKeyDown }: MessageAreaProps) {
  const { strings } = usePanel();
  const isListed = (popup.completion?.items?.length ?? 0) > 0;
  return (
    <textarea
      ref={area}
      rows={1}
      dir="auto"
      value={text}
      placeholder={strings.composerPlaceholder}
      aria-label={strings.composer}
      // VS Code sets this class while a screen reader is used.
      aria-description={document.body.classList.contains('vscode-using-screen-reader') ? strings.helpHint : undefined}
      data-testid="composer"
      // A browser would save the text on its disk for autofill.
      autocomplete="off"
      aria-autocomplete="list"
      aria-controls={isListed ? listId : undefined}
      aria-activedescendant={isListed ? optionId(popup.completion?.selected ?? 0) : undefined}
      onInput={(event) => {
        setText(event.currentTarget.value);
        popup.onInput();
      }}
      onPaste={onPaste}
      onKeyDown={onKeyDown}
      onKeyUp={popup.onCaret}
      onClick={popup.onCaret}
      onBlur={popup.close}
    />
  );
}
