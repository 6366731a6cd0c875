import { Icon } from './Icon.tsx';

/** Why a message cannot be sent, above its text. */
export function ErrorLine({ error }: { readonly error: string | undefined }) {
  if (error === undefined) return null;
  return (
    <div class="composer-error" role="alert">
      <Icon name="error" />
      <span>{error}</span>
    </div>
  );
}
