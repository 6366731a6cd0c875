/** A decorative codicon; the text or label beside it carries the meaning. */
export function Icon({ name, isSpinning = false }: { readonly name: string; readonly isSpinning?: boolean }) {
  return <span class={`codicon codicon-${name}${isSpinning ? ' spin' : ''}`} aria-hidden="true" />;
}

/** The reason why a message cannot be sent, shown above its text. */
export function ErrorLine({ error }: { readonly error: string | undefined }) {
  if (error === undefined) return null;
  return (
    <div class="composer-error" role="alert">
      <Icon name="error" />
      <span>{error}</span>
    </div>
  );
}
