import { useId, useState } from 'preact/hooks';
import { beginningOf, longText, partsOf } from '../longText.ts';
import { usePanel } from '../panel.ts';

/** The text of a question. Shows the beginning of a long one until the user asks for all of it. */
export function Prompt({ text }: { readonly text: string }) {
  const { strings } = usePanel();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  if (text.length < longText) {
    return (
      <div class="prompt" data-testid="prompt" dir="auto">
        {text}
      </div>
    );
  }
  return (
    <div class="prompt" data-testid="prompt">
      <div id={id} dir="auto">
        {isOpen
          ? partsOf(text).map((part, index) => (
              <div key={index} class="prompt-part" dir="auto">
                {part}
              </div>
            ))
          : `${beginningOf(text).trimEnd()}…`}
      </div>
      <button
        type="button"
        class="prompt-fold"
        data-testid="fold-prompt"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? strings.showLess : strings.showAll}
      </button>
    </div>
  );
}
