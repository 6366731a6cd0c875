import { usePanel } from '../../panel.ts';
import { Icon } from '../Icon.tsx';
import { IconButton } from '../IconButton.tsx';
import { Meter } from './Meter.tsx';
import { PostureStrip } from './PostureStrip.tsx';
import { ToolsButton } from './ToolsButton.tsx';

interface ComposerRowProps {
  readonly canSend: boolean;
  readonly addContext: () => void;
  readonly send: () => void;
  readonly preview: () => void;
}

/** Below the text, in one line: context, model and headers of the next request, and what can be done with it. */
export function ComposerRow({ canSend, addContext, send, preview }: ComposerRowProps) {
  const { state, channel, strings } = usePanel();
  const isBusy = state.isBusy.value;
  const model = state.model.value;
  const label = `${strings.model}: ${model}`;
  const [vendor, name] = partsOf(model);
  return (
    <div class="composer-row">
      <IconButton icon="add" label={strings.attach} testId="attach" onClick={addContext} />
      <button
        type="button"
        class="model"
        data-testid="model"
        title={label}
        aria-label={label}
        onClick={() => channel.tell('act', { action: 'selectModel' })}
      >
        <span class="model-label">
          <span class="model-vendor">{vendor}</span>
          {name || strings.model}
        </span>
        <Icon name="chevron-down" />
      </button>
      <Meter preview={preview} />
      <PostureStrip />
      <span class="composer-space" />
      <ToolsButton />
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

/** `svc/auto` as `svc/` and `auto`: a narrow panel shows only the second. */
function partsOf(model: string): readonly [vendor: string, name: string] {
  const end = model.lastIndexOf('/') + 1;
  return [model.slice(0, end), model.slice(end)];
}
