import { postureLines } from '../../../protocol/posture.ts';
import { usePanel } from '../../panel.ts';
import { Icon } from '../Icon.tsx';

/** The headers of the next request in a word; the tooltip has all of them with their sources. */
export function PostureStrip() {
  const { state, channel, strings } = usePanel();
  const posture = state.posture.value ?? { label: '', short: '', headers: [], problems: [] };
  const isBlocked = posture.problems.length > 0;
  const text = isBlocked ? strings.blocked : posture.short || strings.noPosture;
  return (
    <button
      type="button"
      class={isBlocked ? 'posture blocked' : 'posture'}
      data-testid="posture"
      title={[strings.posture, ...postureLines(posture)].join('\n')}
      aria-label={`${strings.posture}: ${text}`}
      onClick={() => channel.tell('showPosture')}
    >
      <Icon name={isBlocked ? 'error' : 'shield'} />
      <span class="posture-label">{text}</span>
    </button>
  );
}
