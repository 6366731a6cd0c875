/** A question that an empty panel offers. All text is already localised. */
export interface Starter {
  /** What it puts into the composer, where a person sees it before it is sent. */
  readonly text: string;
  readonly label: string;
  /** A codicon. */
  readonly icon: string;
}
