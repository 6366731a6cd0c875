/** An attachment of the next question. */
export interface AttachmentChip {
  readonly id: string;
  readonly label: string;
  /** The size for display, such as `1.2 KB`. */
  readonly size: string;
  /** The reason why the attachment must not be sent, for display. */
  readonly warning?: string;
  /** A note about what was omitted or cut, for display. */
  readonly note?: string;
  /** A codicon. */
  readonly icon: string;
  /** Whether the user cannot remove it. */
  readonly isFixed?: true;
  /**
   * Describes, for display, what a click does. An attachment with an offer is not sent until the user clicks it, which a warning
   * prevents.
   */
  readonly offer?: string;
  /** Whether it has the user's decisions about proposed changes: it can be opened, and the panel suggests to go on with it. */
  readonly isDecisions?: true;
}

/** An item in the popup of the composer. All text is localized. */
export interface CompletionItem {
  /** The host accepts this id only until its next answer. */
  readonly id: string;
  readonly label: string;
  readonly detail: string;
  /** A codicon. */
  readonly icon: string;
  /** The text that replaces the typed text; omitted if choosing the item attaches something. */
  readonly insert?: string;
  /** Whether the item cannot be chosen; `detail` contains the reason. */
  readonly isBlocked?: true;
}

/** The character that opens the popup: `@` offers attachments, `/` offers commands. */
export type CompletionTrigger = '@' | '/';
