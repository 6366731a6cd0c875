import { usePanel } from '../../panel.ts';

/** How much of what the model reads the next request takes; opens a preview of that request. */
export function Meter({ preview }: { readonly preview: () => void }) {
  const { state, strings } = usePanel();
  const meter = state.meter.value;
  if (meter === undefined) return null;
  const { text, short, label, detail, isAlmostFull } = meter;
  return (
    <button
      type="button"
      class={isAlmostFull ? 'meter full' : 'meter'}
      data-testid="meter"
      title={`${label}\n${detail}\n${strings.preview}`}
      onClick={preview}
    >
      <span class="meter-text">{text}</span> <span class="meter-short">{short}</span>{' '}
      {/* Its name begins with what is seen: the user can say it to press the button. */}
      <span class="visually-hidden">{`${label}. ${strings.preview}`}</span>
    </button>
  );
}
