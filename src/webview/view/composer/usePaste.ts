import { hasImage } from '../../composer/dropped.ts';
import { pastedLength } from '../../composer/pasted.ts';
import { isLarger } from '../../longText.ts';
import { usePanel } from '../../panel.ts';

interface PasteControl {
  readonly onPaste: (event: ClipboardEvent) => void;
  /** Whether a message is too large to be sent; if so, shows the reason. */
  readonly isTooLarge: (message: string) => boolean;
}

/**
 * Handles pasted text. Text that is too large for a message is not inserted: it is still in the clipboard. Long text is passed to
 * `hold`, if given, instead of the text area.
 */
export function usePaste(
  message: (more: readonly string[]) => string,
  setError: (error: string | undefined) => void,
  hold?: (text: string) => void,
): PasteControl {
  const { state, strings } = usePanel();
  const isTooLarge = (text: string): boolean => {
    const limit = state.messageLimit.value;
    if (limit === undefined || !isLarger(text, limit.bytes)) return false;
    setError(limit.words);
    return true;
  };
  const onPaste = (event: ClipboardEvent): void => {
    const pasted = event.clipboardData?.getData('text/plain') ?? '';
    // Office programs copy a picture of the text together with the text.
    if (pasted === '' && hasImage(event.clipboardData)) {
      event.preventDefault();
      setError(strings.noImages);
      return;
    }
    if (pasted.length < pastedLength) return;
    if (isTooLarge(message([pasted]))) {
      event.preventDefault();
    } else if (hold !== undefined) {
      event.preventDefault();
      setError(undefined);
      hold(pasted.replace(/\r\n?/g, '\n'));
    }
  };
  return { onPaste, isTooLarge };
}
