import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { CompletionItem } from '../../../protocol/attachments.ts';
import { errorText } from '../../channel.ts';
import {
  answered,
  asked,
  type Completion,
  canBeChosen,
  moved,
  popupAction,
  triggerAt,
} from '../../composer/completion.ts';
import { typeIn } from '../../composer/typeIn.ts';
import { isForInputMethod } from '../../inputMethod.ts';
import { usePanel } from '../../panel.ts';
import { fill } from '../../text.ts';

export interface CompletionControl {
  readonly completion: Completion | null;
  /** Called after input: the popup opens, is updated or closes. */
  readonly onInput: () => void;
  /** Called after the caret may have moved: an open popup is updated or closes. */
  readonly onCaret: () => void;
  readonly close: () => void;
  /** Opens the list of context: writes `@` at the caret, as a separate word, unless there is one already. */
  readonly begin: () => void;
  /** Returns true if the popup handled the key, so that no other handler should. */
  readonly onKeyDown: (event: KeyboardEvent) => boolean;
  readonly choose: (item: CompletionItem) => void;
}

let lastRequest = 0;

/** The popup of the composer. */
export function useCompletion(
  area: RefObject<HTMLTextAreaElement | null>,
  setError: (error: string | undefined) => void,
): CompletionControl {
  const { channel } = usePanel();
  const { completion, setCompletion, follow, dismiss, reopen, close } = usePopup(area);
  const { begin, takeBack } = useOwnTrigger(area, completion, reopen);

  const choose = (item: CompletionItem): void => {
    const element = area.current;
    if (element === null || completion === null) return;
    if (!canBeChosen(item)) {
      setError(`${item.label}: ${item.detail}`);
      return;
    }
    // The popup follows the text: it closes, or shows what can follow.
    typeIn(element, completion.start, element.selectionStart, item.insert ?? '');
    if (item.insert !== undefined) return;
    setError(undefined);
    channel.ask('chooseContext', { id: item.id }).catch((error: unknown) => {
      setError(errorText(error));
    });
  };

  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (completion === null || isForInputMethod(event)) return false;
    const action = popupAction(event, completion);
    if (action === null) return false;
    const item = completion.items?.[completion.selected];
    if (action === 'next' || action === 'previous') setCompletion(moved(completion, action === 'next' ? 1 : -1));
    else if (action === 'choose' && item !== undefined) choose(item);
    else if (action === 'dismiss') {
      if (takeBack()) close();
      else dismiss();
    }
    event.preventDefault();
    event.stopPropagation();
    return true;
  };

  return { completion, onInput: () => follow(true), onCaret: () => follow(false), close, begin, onKeyDown, choose };
}

/** Updates the popup for the word before the caret. Queries the host only while the popup is open. */
function usePopup(area: RefObject<HTMLTextAreaElement | null>) {
  const { state, channel, strings } = usePanel();
  const [completion, setCompletion] = useState<Completion | null>(null);
  // After Escape, the popup stays closed until the word changes.
  const dismissed = useRef<number | null>(null);

  // An answer arrives later, and then applies to the popup that is open at that time.
  const open = useRef(completion);
  open.current = completion;
  const take = (request: number, items: readonly CompletionItem[] | null): void => {
    if (items === null || open.current?.request !== request) return;
    setCompletion(answered(open.current, { request, items }));
    const { length } = items;
    state.announced.value = length === 0 ? strings.noSuggestions : fill(strings.suggestionCount, length);
  };

  const follow = (mayOpen: boolean): void => {
    const element = area.current;
    if (element === null || (!mayOpen && completion === null)) return;
    const trigger = triggerAt(element.value, element.selectionStart);
    if (trigger === null) dismissed.current = null;
    if (trigger === null || trigger.start === dismissed.current) {
      setCompletion(null);
      return;
    }
    if (trigger.start === completion?.start && trigger.query === completion.query) return;
    lastRequest += 1;
    const request = lastRequest;
    const next = asked(completion, trigger, request);
    setCompletion(next);
    channel.ask('complete', { request, shown: next.shown, trigger: next.trigger, query: next.query }).then(
      (items) => take(request, items),
      // Without an answer, the popup would prevent Enter from sending.
      () => setCompletion((now) => (now?.request === request ? null : now)),
    );
  };
  const reopen = (): void => {
    dismissed.current = null;
    follow(true);
  };
  // The word is gone: one that begins at the same place opens the popup.
  const close = (): void => {
    dismissed.current = null;
    setCompletion(null);
  };
  const dismiss = (): void => {
    dismissed.current = completion?.start ?? null;
    setCompletion(null);
  };
  return { completion, setCompletion, follow, dismiss, reopen, close };
}

/** Writes `@` for the user, and removes it again, which takeBack() returns, if no text follows it. */
function useOwnTrigger(area: RefObject<HTMLTextAreaElement | null>, completion: Completion | null, reopen: () => void) {
  const written = useRef<number | null>(null);
  const begin = (): void => {
    const element = area.current;
    if (element === null) return;
    element.focus();
    const caret = element.selectionEnd;
    // Selected text is not replaced.
    element.setSelectionRange(caret, caret);
    reopen();
    if (triggerAt(element.value, caret)?.trigger === '@') return;
    typeIn(element, caret, caret, /\S$/.test(element.value.slice(0, caret)) ? ' @' : '@');
    written.current = element.selectionEnd - 1;
  };

  const takeBack = (): boolean => {
    const element = area.current;
    if (element === null || completion === null) return false;
    if (completion.start !== written.current || completion.query !== '') return false;
    typeIn(element, completion.start, element.selectionStart, '');
    return true;
  };
  return { begin, takeBack };
}
