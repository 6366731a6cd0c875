import { useState } from 'preact/hooks';
import type { Editing } from '../../../../protocol/unsentText.ts';
import { errorText } from '../../../channel.ts';
import { usePanel } from '../../../panel.ts';

/** The state of the question that is being edited, which is kept when its editor is removed, and how to send it. */
export function useEdit(turnId: string) {
  const { state, channel } = usePanel();
  const [error, setError] = useState<string>();
  const { text = '', attachments = [] } = state.editing.value ?? {};

  const change = (part: Partial<Editing>): void => {
    state.editing.value = { turnId, text, attachments, ...part };
  };
  const send = async (): Promise<void> => {
    state.isTyping = false;
    setError(undefined);
    try {
      await channel.ask('edit', { turnId, text, attachments });
      state.editing.value = undefined;
      state.focusRequests.value += 1;
    } catch (caught) {
      setError(errorText(caught));
    }
  };
  return { text, attachments, error, setError, change, send };
}
