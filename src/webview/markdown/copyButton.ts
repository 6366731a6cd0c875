/** The time for which the button shows that the text was copied, in ms. */
const confirmationMs = 2000;

interface CopyButton {
  /** The test ID of the button. */
  readonly id: string;
  copy(text: string): Promise<void>;
  readonly label: string;
  readonly copiedLabel: string;
}

/** Creates a button that copies a text, and shows that the text was copied. */
export function copyButton({ id, copy, label, copiedLabel }: CopyButton, text: () => string): HTMLButtonElement {
  const button = document.createElement('button');
  const icon = document.createElement('span');
  button.type = 'button';
  button.className = 'icon-button';
  button.dataset.testid = id;
  icon.ariaHidden = 'true';
  button.append(icon);
  const show = (shown: string, name: string): void => {
    button.title = shown;
    button.ariaLabel = shown;
    icon.className = `codicon codicon-${name}`;
  };
  show(label, 'copy');
  button.addEventListener('click', () => {
    copy(text()).then(
      () => {
        show(copiedLabel, 'check');
        setTimeout(() => show(label, 'copy'), confirmationMs);
      },
      () => undefined,
    );
  });
  return button;
}
