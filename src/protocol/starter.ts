/** A question that an empty panel offers. All text is localised. */
export interface Starter {
  /** The text for the composer, where the user sees it before it is sent. */
  readonly text: string;
  readonly label: string;
  /** A codicon. */
  readonly icon: string;
}
