import type { AttachmentChip } from '../../../protocol/attachments.ts';
import { usePanel } from '../../panel.ts';
import { Icon } from '../Icon.tsx';
import { IconButton } from '../IconButton.tsx';
import { useFocusBack } from '../turn/useFocusBack.ts';

/** The attachments of the next question; each can be removed, unless it is fixed. */
export function Chips() {
  const { state, channel, strings } = usePanel();
  const chips = state.attachments.value;
  if (chips.length === 0) return null;
  return (
    <ul class="chips" aria-label={strings.attachments}>
      {chips.map((chip) =>
        chip.offer === undefined ? (
          <Chip
            key={chip.id}
            chip={chip}
            open={() => channel.tell('openAttachment', { id: chip.id })}
            remove={chip.isFixed ? undefined : () => channel.tell('removeAttachment', { id: chip.id })}
          />
        ) : (
          <OfferedChip key={chip.id} chip={chip} take={() => channel.tell('followEditor')} />
        ),
      )}
    </ul>
  );
}

/** The current file, which is not sent until the user clicks it. A file that must not be sent cannot be clicked. */
function OfferedChip({ chip, take }: { readonly chip: AttachmentChip; readonly take: () => void }) {
  const { label, size, icon, warning, offer } = chip;
  const part = useFocusBack<HTMLLIElement>();
  return (
    <li ref={part} class="chip offered" data-testid="offered-chip" title={warning ?? offer}>
      <Icon name={warning === undefined ? icon : 'circle-slash'} />
      {warning === undefined ? (
        <button type="button" class="chip-offer" aria-label={offer} onClick={take}>
          {label}
        </button>
      ) : (
        <span class="chip-text">
          <span class="chip-label">{label}</span>
          <span class="chip-size">{size}</span>
          <span class="visually-hidden">{warning}</span>
        </span>
      )}
    </li>
  );
}

/** Explains, before anything is sent, why the attachments cannot be sent, and what to remove. */
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
  /** Opens the text of the attachment, if it can be opened. */
  readonly open?: () => void;
  /** Removes the attachment; omitted if it cannot be removed alone. */
  readonly remove?: (() => void) | undefined;
}

export function Chip({ chip: { label, size, icon, warning, note, isDecisions }, open, remove }: ChipProps) {
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
        {isDecisions && open !== undefined ? (
          <button type="button" class="chip-label" data-testid="open-chip" onClick={open}>
            {label}
          </button>
        ) : (
          <span class="chip-label">{label}</span>
        )}
        <span class="chip-size">{size}</span>
      </span>
      {(warning ?? note) !== undefined && <span class="visually-hidden">{warning ?? note}</span>}
      {remove !== undefined && (
        <IconButton icon="close" label={`${strings.remove}: ${label}`} title={strings.remove} onClick={remove} />
      )}
    </li>
  );
}
