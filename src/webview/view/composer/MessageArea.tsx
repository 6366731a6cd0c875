import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { replaceText } from '../../composer/typeIn.ts';
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
  const { state, strings } = usePanel();
  const isOurChange = useRef(false);
  const purges = state.purges.value;
  // Not by the attribute: see typeIn.ts.
  useLayoutEffect(() => {
    if (area.current === null || area.current.value === text) return;
    isOurChange.current = true;
    replaceText(area.current, text);
    isOurChange.current = false;
  }, [area, text, purges]);
  const isListed = (popup.completion?.items?.length ?? 0) > 0;
  return (
    <textarea
      // Deleted text must not come back with Undo.
      key={purges}
      ref={area}
      rows={1}
      dir="auto"
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
        // The page would take it for typing, and leave the focus here when a question appears.
        if (isOurChange.current) return event.stopPropagation();
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
