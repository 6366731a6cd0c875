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

/** What the user has typed and not sent. A part without text is absent. */
export interface UnsentText {
  readonly draft?: string;
  /** Long texts that were pasted, beside the text area. */
  readonly pasted?: readonly string[];
  readonly editing?: Editing;
  readonly summary?: EditedSummary;
}
