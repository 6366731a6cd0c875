import { useState } from 'preact/hooks';
import { errorText } from '../../channel.ts';
import { usePanel } from '../../panel.ts';
import type { Draft } from './useDraft.ts';

interface SendControl {
  readonly send: () => Promise<void>;
  /** Whether the host has not accepted the message yet. */
  readonly isSending: boolean;
}

/**
 * Sends the draft, or lets it wait for the end of an answer. The draft stays in the composer until the host has accepted it.
 * `begin` returns false if the draft cannot be sent.
 */
export function useSend(
  draft: Draft,
  begin: () => boolean,
  setError: (error: string | undefined) => void,
): SendControl {
  const { state, channel } = usePanel();
  const [isSending, setSending] = useState(false);
  const { text, pasted, isEmpty, setText, setPasted, message } = draft;

  const send = async (): Promise<void> => {
    if (isSending || isEmpty || !begin()) return;
    state.isTyping = false;
    setSending(true);
    try {
      await channel.ask('send', { text: message(), typed: text.trim() === '' ? 0 : text.length });
      // Keeps what the user typed while the host was busy.
      setText((now) => (now === text ? '' : now));
      setPasted((now) => (now === pasted ? [] : now));
    } catch (caught) {
      setError(errorText(caught));
    } finally {
      setSending(false);
    }
  };
  return { send, isSending };
}
