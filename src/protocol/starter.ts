/** A text with names in the places `{0}`, `{1}`… A page isolates the names, so that they cannot reorder the text. */
export interface NamedText {
  readonly text: string;
  readonly names: readonly string[];
}

/** A question that an empty panel offers; choosing it sends it. */
export interface Starter {
  readonly id: string;
  readonly label: NamedText;
  /** A codicon. */
  readonly icon: string;
}

/** The questions that an empty panel offers for the active editor. All text is localized. */
export interface Starters {
  readonly items: readonly Starter[];
  /** A hint about what the questions send, or how to get questions. */
  readonly hint: NamedText;
}
