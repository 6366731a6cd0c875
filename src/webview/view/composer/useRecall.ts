import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { caretRow } from '../../composer/caretRow.ts';
import { type Recall, recall } from '../../composer/promptHistory.ts';
import { isForInputMethod } from '../../inputMethod.ts';
import { usePanel } from '../../panel.ts';

/**
 * Up in the first row and Down in the last row step through the messages sent in this conversation. The handler returns whether
 * it handled the key; a popup that handles the key first prevents its default action.
 */
export function useRecall(
  area: RefObject<HTMLTextAreaElement | null>,
  text: string,
  setText: (text: string) => void,
): (event: KeyboardEvent) => boolean {
  const { state } = usePanel();
  const at = useRef<Recall | undefined>(undefined);
  const caretWanted = useRef<'start' | 'end' | undefined>(undefined);

  useLayoutEffect(() => {
    const element = area.current;
    const wanted = caretWanted.current;
    caretWanted.current = undefined;
    if (element === null || wanted === undefined) return;
    element.setSelectionRange(text.length, text.length);
    // At the start of a multi-row text the same key continues; in a single row it also continues from the end.
    if (wanted === 'start' && !caretRow(element).isFirst) element.setSelectionRange(0, 0);
  }, [area, text]);

  return (event) => {
    const { key, shiftKey, ctrlKey, altKey, metaKey, defaultPrevented } = event;
    if (key !== 'ArrowUp' && key !== 'ArrowDown') return false;
    if (shiftKey || ctrlKey || altKey || metaKey || isForInputMethod(event) || defaultPrevented) return false;
    const isUp = key === 'ArrowUp';
    // The messages are checked before anything is measured: usually there is no step.
    const messages = (state.turns.value ?? []).map(({ prompt }) => prompt);
    const next = recall(messages, text, at.current, isUp ? 'older' : 'newer');
    if (next === undefined || area.current === null) return false;
    const rows = caretRow(area.current);
    if (isUp ? !rows.isFirst : !rows.isLast) return false;
    event.preventDefault();
    at.current = next;
    caretWanted.current = isUp ? 'start' : 'end';
    setText(next.shown);
    return true;
  };
}
