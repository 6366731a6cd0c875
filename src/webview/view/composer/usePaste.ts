import { isLarger } from '../../longText.ts';
import { usePanel } from '../../panel.ts';
import { pastedLength } from '../../pasted.ts';

export interface PasteControl {
  readonly onPaste: (event: ClipboardEvent) => void;
  /** Says why a message cannot be sent; false where it can. */
  readonly isTooLarge: (message: string) => boolean;
}

/**
 * What is too large for a message is not put in: it is still where it was copied from. What is long goes to `hold`, where
 * there is one, and not into the text area.
 */
export function usePaste(
  message: (more: readonly string[]) => string,
  setError: (error: string | undefined) => void,
  hold?: (text: string) => void,
): PasteControl {
  const { state } = usePanel();
  const isTooLarge = (text: string): boolean => {
    const limit = state.messageLimit.value;
    if (limit === undefined || !isLarger(text, limit.bytes)) return false;
    setError(limit.words);
    return true;
  };
  const onPaste = (event: ClipboardEvent): void => {
    const pasted = event.clipboardData?.getData('text/plain') ?? '';
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
