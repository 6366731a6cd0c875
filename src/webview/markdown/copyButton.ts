/** How long the button shows that it has copied, in ms. */
const copiedFor = 2000;

interface CopyButton {
  /** Its test ID. */
  readonly id: string;
  copy(text: string): Promise<void>;
  readonly label: string;
  readonly copiedLabel: string;
}

/** A button that copies a text, and shows that it has. */
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
        setTimeout(() => show(label, 'copy'), copiedFor);
      },
      () => undefined,
    );
  });
  return button;
}
