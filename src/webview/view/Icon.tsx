/** A decorative codicon; the text or label beside it has the meaning. */
export function Icon({ name, isSpinning = false }: { readonly name: string; readonly isSpinning?: boolean }) {
  return <span class={`codicon codicon-${name}${isSpinning ? ' spin' : ''}`} aria-hidden="true" />;
}
