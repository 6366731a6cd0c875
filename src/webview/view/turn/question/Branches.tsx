import { usePanel } from '../../../panel.ts';
import { fill } from '../../../text.ts';
import { IconButton } from '../../IconButton.tsx';

interface BranchesProps {
  readonly turnId: string;
  /** The alternatives of this turn in all branches, oldest first. */
  readonly siblings: readonly string[];
}

/**
 * The switch `‹ 2/3 ›` where branches begin. It is inactive while an answer is written, because the turn of that answer would be
 * hidden.
 */
export function Branches({ turnId, siblings }: BranchesProps) {
  const { state, channel, strings } = usePanel();
  const at = siblings.indexOf(turnId);
  const isBusy = state.isBusy.value;
  const step = (to: number, icon: string, label: string) => {
    const target = isBusy ? undefined : siblings[to];
    const show = (): void => {
      if (target === undefined) return;
      channel.tell('showBranch', { turnId: target });
      state.announced.value = fill(strings.versionShown, `${to + 1}/${siblings.length}`);
    };
    return (
      <IconButton
        icon={icon}
        label={label}
        title={isBusy ? strings.editLater : label}
        testId={icon}
        isInactive={target === undefined}
        onClick={show}
      />
    );
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset belongs to a form, and has its own style.
    <div class="branches" role="group" aria-label={strings.versions} data-testid="branches">
      {step(at - 1, 'chevron-left', strings.olderVersion)}
      <span>{`${at + 1}/${siblings.length}`}</span>
      {step(at + 1, 'chevron-right', strings.newerVersion)}
    </div>
  );
}
