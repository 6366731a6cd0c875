import { postureLines } from '../../../protocol/posture.ts';
import { usePanel } from '../../panel.ts';
import { Icon } from '../Icon.tsx';
import { IconButton } from '../IconButton.tsx';

interface ComposerRowProps {
  readonly canSend: boolean;
  /** Whether the host is still reading what goes with the message, such as the code at the cursor. */
  readonly isSending: boolean;
  readonly addContext: () => void;
  readonly send: () => void;
  readonly preview: () => void;
}

/** The line below the text: context, model and headers of the next request, and its actions. */
export function ComposerRow({ canSend, isSending, addContext, send, preview }: ComposerRowProps) {
  const { state, channel, strings } = usePanel();
  const isBusy = state.isBusy.value;
  const model = state.model.value;
  const label = `${strings.model}: ${model}`;
  const [vendor, name] = partsOf(model);
  return (
    <div class="composer-row">
      <IconButton icon="add" label={strings.attach} testId="attach" onClick={addContext} />
      <ModePicker />
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
      {/* Both functions share one element, so that the focus stays when the function changes. */}
      <IconButton
        icon={isBusy ? 'stop-circle' : isSending ? 'loading' : 'send'}
        label={isBusy ? strings.stop : strings.send}
        kind="submit"
        testId={isBusy ? 'stop' : 'send'}
        isInactive={!isBusy && !canSend}
        onClick={() => (isBusy ? channel.tell('stop') : send())}
      />
    </div>
  );
}

/** The mode of the next question. A click lets the user choose it. */
function ModePicker() {
  const { state, channel, strings } = usePanel();
  const { label, detail } = state.mode.value;
  const name = `${strings.mode}: ${label}`;
  return (
    <button
      type="button"
      class="model mode"
      data-testid="mode"
      title={`${name}\n${detail}`}
      aria-label={name}
      onClick={() => channel.tell('chooseMode')}
    >
      <span class="model-label">{label}</span>
      <Icon name="chevron-down" />
    </button>
  );
}

/** Splits a model such as `svc/auto` into `svc/` and `auto`: a narrow panel shows only the name. */
function partsOf(model: string): readonly [vendor: string, name: string] {
  const end = model.lastIndexOf('/') + 1;
  return [model.slice(0, end), model.slice(end)];
}

/** The share of the model's window that the next request takes. A click opens a preview of that request. */
function Meter({ preview }: { readonly preview: () => void }) {
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
      {/* The accessible name begins with the visible text, so that users of speech input can activate the button. */}
      <span class="visually-hidden">{`${label}. ${strings.preview}`}</span>
    </button>
  );
}

/** A short text for the headers of the next request; the tooltip lists all of them with their sources. */
function PostureStrip() {
  const { state, channel, strings } = usePanel();
  const posture = state.posture.value ?? { label: '', short: '', headers: [], problems: [] };
  const isBlocked = posture.problems.length > 0 && posture.isPending !== true;
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

/** The number of tools that the model may call. A click lets the user choose them. */
function ToolsButton() {
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
