import { usePanel } from '../panel.ts';
import { Icon } from './Icon.tsx';

/** What the next request asks of the service, in one line; all of it, and where it comes from, in the tooltip. */
export function PostureStrip() {
  const { state, bridge, strings } = usePanel();
  const { label, headers, problems } = state.posture.value ?? { label: '', headers: [], problems: [] };
  const isBlocked = problems.length > 0;
  const text = isBlocked ? strings.blocked : label === '' ? strings.noPosture : label;
  const lines = isBlocked ? problems : headers.map(({ name, value, source }) => `${name}: ${value} (${source})`);
  return (
    <button
      type="button"
      class={isBlocked ? 'posture blocked' : 'posture'}
      data-testid="posture"
      title={[strings.posture, ...lines].join('\n')}
      aria-label={`${strings.posture}: ${text}`}
      onClick={() => bridge.tell('showPosture')}
    >
      <Icon name={isBlocked ? 'error' : 'shield'} />
      <span class="posture-label">{text}</span>
    </button>
  );
}
