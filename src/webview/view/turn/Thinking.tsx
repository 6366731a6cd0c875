import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ThoughtView } from '../../../protocol/turnView.ts';
import { usePanel } from '../../panel.ts';
import { Icon } from '../Icon.tsx';

interface ThinkingProps {
  readonly turnId: string;
  readonly thought: ThoughtView;
  readonly text: string;
}

/** The model's reasoning before its answer, folded. It is plain text without markup, links, or code to use. */
export function Thinking({ turnId, thought: { label, isOpen, rest }, text }: ThinkingProps) {
  const { state } = usePanel();
  const part = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    if (part.current !== null) show(part.current, text);
    // Streamed text bypasses all components, as in Answer.
    return state.grown.subscribe((turn) => {
      if (turn?.id === turnId && part.current !== null) show(part.current, turn.thinking ?? '');
    });
  }, [state, turnId, text]);

  return (
    <details class="receipt step thinking" data-testid="thinking">
      <summary>
        <Icon name={isOpen ? 'loading' : 'lightbulb'} isSpinning={isOpen} />
        <span>{label}</span>
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard */}
      <div ref={part} class="thinking-text" data-testid="thinking-text" dir="auto" tabIndex={0} />
      {rest !== undefined && <div class="thinking-rest">{rest}</div>}
    </details>
  );
}

/** Appends new text, and scrolls to it if the user is at the end. */
function show(part: HTMLElement, text: string): void {
  const shown = part.firstChild instanceof Text ? part.firstChild : part.appendChild(document.createTextNode(''));
  if (text.length === shown.length) return;
  const isOpen = part.closest('details')?.open === true;
  const isAtEnd = isOpen && part.scrollHeight - part.scrollTop - part.clientHeight < 24;
  if (text.length > shown.length) shown.appendData(text.slice(shown.length));
  else shown.data = text;
  if (isAtEnd) part.scrollTop = part.scrollHeight;
}
