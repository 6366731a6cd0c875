/** A codicon; what it means is said by the text or label beside it. */
export function Icon({ name, isSpinning = false }: { readonly name: string; readonly isSpinning?: boolean }) {
  return <span class={`codicon codicon-${name}${isSpinning ? ' spin' : ''}`} aria-hidden="true" />;
}
