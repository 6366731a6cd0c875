import { usePanel } from '../../panel.ts';
import { Icon } from '../Icon.tsx';

/** The number of tools that the model may call, and the way to choose them. */
export function ToolsButton() {
  const { state, channel } = usePanel();
  const { count, label, reason } = state.tools.value;
  return (
    <button
      type="button"
      class="tools"
      data-testid="tools"
      title={reason === '' ? label : `${label}\n${reason}`}
      aria-label={label}
      onClick={() => channel.tell('chooseTools')}
    >
      <Icon name="tools" />
      {count > 0 && <span class="tools-count">{count}</span>}
    </button>
  );
}
