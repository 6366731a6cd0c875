import { beginningOf } from '../../longText.ts';
import { usePanel } from '../../panel.ts';
import { fill } from '../../text.ts';
import { Icon } from '../Icon.tsx';
import { IconButton } from '../IconButton.tsx';
import { useFocusBack } from '../turn/useFocusBack.ts';

interface PastedProps {
  readonly texts: readonly string[];
  readonly remove: (index: number) => void;
}

/** Long pasted texts, which are appended to the message; each can be removed. */
export function Pasted({ texts, remove }: PastedProps) {
  const { strings } = usePanel();
  if (texts.length === 0) return null;
  return (
    <ul class="chips" aria-label={strings.pastedTexts}>
      {texts.map((text, index) => (
        <PastedChip key={index} text={text} remove={() => remove(index)} />
      ))}
    </ul>
  );
}

export function pastedLabel(template: string, text: string): string {
  return fill(template, new Intl.NumberFormat(document.documentElement.lang).format(text.length));
}

function PastedChip({ text, remove }: { readonly text: string; readonly remove: () => void }) {
  const { strings } = usePanel();
  const part = useFocusBack<HTMLLIElement>();
  const label = pastedLabel(strings.pastedText, text);
  return (
    <li ref={part} class="chip" data-testid="pasted" title={beginningOf(text).slice(0, 500)}>
      <Icon name="clippy" />
      <span class="chip-label">{label}</span>
      <IconButton icon="close" label={`${strings.remove}: ${label}`} title={strings.remove} onClick={remove} />
    </li>
  );
}
