import type { RefObject } from 'preact';
import { Icon } from './Icon.tsx';

interface IconButtonProps {
  readonly icon: string;
  readonly label: string;
  /** The tooltip, if it is not the label. */
  readonly title?: string;
  /** An additional class of the button. */
  readonly kind?: 'edit' | 'submit';
  readonly testId?: string;
  /**
   * Whether pressing the button has no effect. The `disabled` attribute would take the focus from a button that was just pressed.
   */
  readonly isInactive?: boolean;
  /** Whether Tab stops at the button; true by default. */
  readonly isStop?: boolean;
  readonly button?: RefObject<HTMLButtonElement | null>;
  readonly onClick: () => void;
}

/** A button that shows only an icon. */
export function IconButton({
  icon,
  label,
  title,
  kind,
  testId,
  isInactive,
  isStop = true,
  button,
  onClick,
}: IconButtonProps) {
  return (
    <button
      ref={button ?? null}
      type="button"
      class={kind === undefined ? 'icon-button' : `icon-button ${kind}`}
      data-testid={testId}
      title={title ?? label}
      aria-label={label}
      aria-disabled={isInactive}
      tabIndex={isStop ? undefined : -1}
      onClick={onClick}
    >
      <Icon name={icon} isSpinning={icon === 'loading'} />
    </button>
  );
}
