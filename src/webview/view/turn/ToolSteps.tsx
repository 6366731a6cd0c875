import { isOpen } from '../../../protocol/toolStepState.ts';
import type { ToolStepView } from '../../../protocol/turnView.ts';
import { usePanel } from '../../panel.ts';
import { Icon } from '../Icon.tsx';
import { useFocusBack } from './useFocusBack.ts';

interface StepProps {
  readonly turnId: string;
  readonly step: ToolStepView;
}

/** The ended tool calls of an answer, one line each; input and result on demand. */
export function ToolSteps({ turnId, steps }: { readonly turnId: string; readonly steps: readonly ToolStepView[] }) {
  const ended = steps.filter((step) => !isOpen(step));
  if (ended.length === 0) return null;
  return (
    <div class="steps">
      {ended.map((step) => (
        <Step key={step.id} turnId={turnId} step={step} />
      ))}
    </div>
  );
}

/** The calls that are pending, running, or waiting for another call. */
export function OpenToolSteps({ turnId, steps }: { readonly turnId: string; readonly steps: readonly ToolStepView[] }) {
  return (
    <>
      {steps.filter(isOpen).map((step) =>
        step.state === 'asking' ? (
          // Another question about the same call is another card: it has not been seen, and its buttons do not have the focus.
          <Asking key={`${step.id} ${step.asked}`} turnId={turnId} step={step} />
        ) : (
          <div key={step.id} class="progress" data-testid="step" data-state={step.state}>
            <Icon
              name={step.state === 'running' ? 'loading' : 'circle-outline'}
              isSpinning={step.state === 'running'}
            />
            <StepWords step={step} />
          </div>
        ),
      )}
    </>
  );
}

/** A call that waits for approval. It does not take the focus, so that typed text cannot answer it by mistake. */
function Asking({ turnId, step: { id, asked = 0, question, detail, isOnlyOnce, showsInput, input } }: StepProps) {
  const { channel, strings } = usePanel();
  const part = useFocusBack<HTMLElement>();
  const decide = (decision: 'once' | 'conversation' | 'deny') => () =>
    channel.tell('decideTool', { turnId, stepId: id, asked, decision });
  return (
    <section ref={part} class="card info" data-testid="step" data-state="asking" aria-label={question}>
      <Icon name="tools" />
      <div class="card-text">
        <div class="card-title">{question}</div>
        {detail !== undefined && <Text id="step-detail" text={detail} isWhole />}
        <details open={showsInput}>
          <summary>{strings.details}</summary>
          <Text id="step-input" text={input} />
        </details>
        <div class="actions">
          <button type="button" class="button" data-testid="allow-once" onClick={decide('once')}>
            {strings.allowOnce}
          </button>
          {!isOnlyOnce && (
            <button
              type="button"
              class="button secondary"
              data-testid="allow-conversation"
              onClick={decide('conversation')}
            >
              {strings.allowInConversation}
            </button>
          )}
          <button type="button" class="button secondary" data-testid="deny" onClick={decide('deny')}>
            {strings.deny}
          </button>
        </div>
      </div>
    </section>
  );
}

/** `isWhole`: the text has its full height, because the user must see all of it. */
function Text({
  id,
  text,
  isWhole = false,
}: {
  readonly id: string;
  readonly text: string;
  readonly isWhole?: boolean;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard
    <pre class={isWhole ? 'step-text whole' : 'step-text'} data-testid={id} tabIndex={0}>
      {text}
    </pre>
  );
}

const icons: Readonly<Record<ToolStepView['state'], string>> = {
  waiting: 'circle-outline',
  asking: 'tools',
  running: 'loading',
  done: 'check',
  failed: 'error',
  refused: 'shield',
  denied: 'circle-slash',
  stopped: 'stop-circle',
  capped: 'circle-slash',
};

function StepWords({ step: { title, note } }: Pick<StepProps, 'step'>) {
  return (
    <span>
      <bdi>{title}</bdi> · <bdi>{note}</bdi>
    </span>
  );
}

function Step({ turnId, step }: StepProps) {
  const { id, state, input, result, hasMore } = step;
  const { channel, strings } = usePanel();
  return (
    <details class="receipt step" data-testid="step" data-state={state}>
      <summary>
        <Icon name={icons[state]} />
        <StepWords step={step} />
      </summary>
      <div class="receipt-body">
        {strings.toolInput}
        <Text id="step-input" text={input} />
        {strings.toolResult}
        <Text id="step-result" text={result ?? ''} />
        {hasMore && (
          <button
            type="button"
            class="button secondary"
            data-testid="show-result"
            onClick={() => channel.tell('showToolResult', { turnId, stepId: id })}
          >
            {strings.showAll}
          </button>
        )}
      </div>
    </details>
  );
}
