/** A question of an earlier turn that is being edited. */
export interface Editing {
  readonly turnId: string;
  readonly text: string;
  /** The indexes of the turn's attachments to send again. */
  readonly attachments: readonly number[];
}

/** A summary that is being edited. */
export interface EditedSummary {
  readonly turnId: string;
  readonly text: string;
}

/** The text that the user has typed and not sent. Parts without text are omitted. */
export interface UnsentText {
  readonly draft?: string;
  /** Long pasted texts, which are kept outside the text area. */
  readonly pasted?: readonly string[];
  readonly editing?: Editing;
  readonly summary?: EditedSummary;
}
