import type { AttachmentChip } from '../../../protocol/attachments.ts';
import { usePanel } from '../../panel.ts';
import { Icon } from '../Icon.tsx';
import { IconButton } from '../IconButton.tsx';
import { useFocusBack } from '../turn/useFocusBack.ts';

/** The attachments of the next question; each can be removed. */
export function Chips() {
  const { state, channel, strings } = usePanel();
  const chips = state.attachments.value;
  if (chips.length === 0) return null;
  return (
    <ul class="chips" aria-label={strings.attachments}>
      {chips.map((chip) => (
        <Chip key={chip.id} chip={chip} remove={() => channel.tell('removeAttachment', { id: chip.id })} />
      ))}
    </ul>
  );
}

/** Why the attachments cannot be sent, and what to remove: shown before anything is sent. */
export function AttachmentProblem() {
  const { state } = usePanel();
  const problem = state.attachmentProblem.value;
  if (problem === '') return null;
  return (
    <div class="attachment-problem" data-testid="attachment-problem">
      <Icon name="warning" />
      <span>{problem}</span>
    </div>
  );
}

interface ChipProps {
  readonly chip: AttachmentChip;
  /** Absent if it cannot be removed alone. */
  readonly remove?: () => void;
}

export function Chip({ chip: { label, size, icon, warning, note }, remove }: ChipProps) {
  const { strings } = usePanel();
  const part = useFocusBack<HTMLLIElement>();
  return (
    <li
      ref={part}
      class={warning === undefined ? 'chip' : 'chip warned'}
      data-testid="chip"
      title={[label, warning, note].filter((text) => text !== undefined).join('\n')}
    >
      <Icon name={warning === undefined ? icon : 'warning'} />
      <span class="chip-text">
        <span class="chip-label">{label}</span>
        <span class="chip-size">{size}</span>
      </span>
      {(warning ?? note) !== undefined && <span class="visually-hidden">{warning ?? note}</span>}
      {remove !== undefined && (
        <IconButton icon="close" label={`${strings.remove}: ${label}`} title={strings.remove} onClick={remove} />
      )}
    </li>
  );
}
