import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CompletionItem } from '../../../protocol/attachments.ts';
import { errorText } from '../../channel.ts';
import { answered, asked, type Completion, canBeChosen, inserted, moved, triggerAt } from '../../completion.ts';
import { usePanel } from '../../panel.ts';
import { fill } from '../../text.ts';

export interface CompletionControl {
  readonly completion: Completion | null;
  /** After input: the popup opens, follows or closes. */
  readonly onInput: () => void;
  /** After the caret may have moved: an open popup follows or closes. */
  readonly onCaret: () => void;
  readonly close: () => void;
  /** True if the popup handled the key, so that nothing else should. */
  readonly onKeyDown: (event: KeyboardEvent) => boolean;
  readonly choose: (item: CompletionItem) => void;
}

let lastRequest = 0;

/** The popup of the composer. Queries the host only while it is open. */
export function useCompletion(
  area: RefObject<HTMLTextAreaElement | null>,
  setText: (text: string) => void,
  setError: (error: string | undefined) => void,
): CompletionControl {
  const { state, channel, strings } = usePanel();
  const [completion, setCompletion] = useState<Completion | null>(null);
  // After Escape it stays closed until the word changes.
  const dismissed = useRef<number | null>(null);

  const answer = state.completions.value;
  useEffect(() => {
    if (answer === undefined || completion === null || completion.request !== answer.request) return;
    setCompletion(answered(completion, answer));
    const { length } = answer.items;
    state.announced.value = length === 0 ? strings.noSuggestions : fill(strings.suggestionCount, length);
  }, [answer]);

  const close = (): void => setCompletion(null);
  const follow = (mayOpen: boolean): void => {
    const element = area.current;
    if (element === null || (!mayOpen && completion === null)) return;
    const trigger = triggerAt(element.value, element.selectionStart);
    if (trigger === null) dismissed.current = null;
    if (trigger === null || trigger.start === dismissed.current) {
      close();
      return;
    }
    if (trigger.start === completion?.start && trigger.query === completion.query) return;
    lastRequest += 1;
    const request = lastRequest;
    const next = asked(completion, trigger, request);
    setCompletion(next);
    // Without an answer it would prevent Enter from sending.
    channel.ask('complete', { request, shown: next.shown, trigger: next.trigger, query: next.query }).catch(() => {
      setCompletion((now) => (now?.request === request ? null : now));
    });
  };

  const choose = (item: CompletionItem): void => {
    const element = area.current;
    if (element === null || completion === null) return;
    if (!canBeChosen(item)) {
      setError(`${item.label}: ${item.detail}`);
      return;
    }
    const next = inserted(element.value, element.selectionStart, completion, item.insert);
    setText(next.text);
    // Immediately, so that the caret is correct for the next key.
    element.value = next.text;
    element.setSelectionRange(next.caret, next.caret);
    element.focus();
    close();
    if (item.insert !== undefined) {
      follow(true);
      return;
    }
    setError(undefined);
    channel.ask('chooseContext', { id: item.id }).catch((error: unknown) => {
      setError(errorText(error));
    });
  };

  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (completion === null || event.isComposing || event.keyCode === 229) return false;
    const item = completion.items?.[completion.selected];
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp':
        if (item === undefined) return false;
        setCompletion(moved(completion, event.key === 'ArrowDown' ? 1 : -1));
        break;
      case 'Enter':
      case 'Tab':
        if (event.shiftKey) return false;
        // No matches: the text was not a trigger. No answer yet: half-typed text is not sent.
        if (item === undefined && completion.items !== null) return false;
        if (item !== undefined) choose(item);
        break;
      case 'Escape':
        dismissed.current = completion.start;
        close();
        break;
      default:
        return false;
    }
    event.preventDefault();
    event.stopPropagation();
    return true;
  };

  return { completion, onInput: () => follow(true), onCaret: () => follow(false), close, onKeyDown, choose };
}
