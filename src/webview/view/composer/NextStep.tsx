import { usePanel } from '../../panel.ts';
import { useFocusBack } from '../turn/useFocusBack.ts';

/**
 * The question that the panel suggests next: to carry out the plan of the last answer, or to go on after the user has decided about
 * proposed changes.
 */
export function NextStep() {
  const { state, channel, strings } = usePanel();
  if (state.isBusy.value || state.waiting.value !== undefined) return null;
  const last = state.turns.value?.at(-1);
  if (last?.status === 'complete' && last.isPlan === true) {
    const { id: turnId } = last;
    return (
      <Step key={turnId} name="carry-out" label={strings.carryOut} act={() => channel.tell('carryOut', { turnId })} />
    );
  }
  const decisions = state.attachments.value.find(({ isDecisions }) => isDecisions);
  if (decisions === undefined) return null;
  return <Step key={decisions.id} name="go-on" label={strings.goOn} act={() => channel.tell('goOn')} />;
}

interface StepProps {
  readonly name: string;
  readonly label: string;
  readonly act: () => void;
}

function Step({ name, label, act }: StepProps) {
  const { state } = usePanel();
  const part = useFocusBack<HTMLDivElement>();
  const whyNot = state.mode.value.whyNoChange;
  const isPossible = whyNot === '';
  return (
    <div ref={part} class="next-step">
      <button
        type="button"
        class="button"
        data-testid={name}
        aria-disabled={!isPossible}
        aria-describedby={isPossible ? undefined : 'why-not-next'}
        onClick={() => isPossible && act()}
      >
        {label}
      </button>
      {!isPossible && <span id="why-not-next">{whyNot}</span>}
    </div>
  );
}
