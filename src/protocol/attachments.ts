/** An attachment of the next question. */
export interface AttachmentChip {
  readonly id: string;
  readonly label: string;
  /** For display, such as `1.2 KB`. */
  readonly size: string;
  /** Why it may not leave, for display. */
  readonly warning?: string;
  /** What was omitted or cut, for display. */
  readonly note?: string;
  /** A codicon. */
  readonly icon: string;
  /** It is not sent until the user clicks it, if it has no warning: what a click does, for display. */
  readonly offer?: string;
}

/** An item in the popup of the composer. All text is localised. */
export interface CompletionItem {
  /** Known only to the host, and only until its next answer. */
  readonly id: string;
  readonly label: string;
  readonly detail: string;
  /** A codicon. */
  readonly icon: string;
  /** Replaces the typed text; absent if choosing the item attaches something. */
  readonly insert?: string;
  /** It cannot be chosen; `detail` contains the reason. */
  readonly isBlocked?: true;
}

/** What opens the popup: `@` offers attachments, `/` offers commands. */
export type CompletionTrigger = '@' | '/';
