import { usePanel } from '../../panel.ts';
import { Icon } from '../Icon.tsx';
import { IconButton } from '../IconButton.tsx';
import { PostureStrip } from './PostureStrip.tsx';

interface ComposerRowProps {
  readonly canSend: boolean;
  readonly send: () => void;
  readonly preview: () => void;
}

/** Below the text: model and headers of the next request, and the buttons. */
export function ComposerRow({ canSend, send, preview }: ComposerRowProps) {
  const { state, channel, strings } = usePanel();
  const isBusy = state.isBusy.value;
  const model = state.model.value;
  const label = `${strings.model}: ${model}`;
  return (
    <div class="composer-row">
      <div class="composer-facts">
        <button
          type="button"
          class="model"
          data-testid="model"
          title={label}
          aria-label={label}
          onClick={() => channel.tell('act', { action: 'selectModel' })}
        >
          <span class="model-label">{model === '' ? strings.model : model}</span>
          <Icon name="chevron-down" />
        </button>
        <PostureStrip />
      </div>
      <IconButton icon="attach" label={strings.attach} testId="attach" onClick={() => channel.tell('attach')} />
      <IconButton icon="eye" label={strings.preview} testId="preview" onClick={preview} />
      {/* One element for both, so that the focus stays when its function changes. */}
      <IconButton
        icon={isBusy ? 'stop-circle' : 'send'}
        label={isBusy ? strings.stop : strings.send}
        kind="submit"
        testId={isBusy ? 'stop' : 'send'}
        isInactive={!isBusy && !canSend}
        onClick={() => (isBusy ? channel.tell('stop') : send())}
      />
    </div>
  );
}
