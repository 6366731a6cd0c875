/** The actions that a card can offer. A call of the page with any other id is refused. */
export const cardActionIds = [
  'setApiKey',
  'setBaseUrl',
  'retry',
  'continue',
  'newChat',
  'removeFile',
  'summarize',
  'leaveOutTurns',
  'leaveOutInstructions',
  'leaveOutConflicting',
  'leaveOutAttached',
  'setModelWindow',
  'openSettings',
  'checkHealth',
  'diagnoseConnection',
  'selectModel',
  'manageTrust',
  'showLog',
  'showPolicy',
  'showFirstSteps',
  'showReview',
  'reviewFile',
  'showProblems',
  'openAuditLog',
  'reveal',
  'retryNow',
  'cancelWork',
  'askAgain',
  'askForCells',
  'insertCode',
  'asNewFile',
  'openFile',
] as const;

/** An action that a card offers; the view sends `id` back with `act`. */
export interface CardAction {
  readonly id: (typeof cardActionIds)[number];
  readonly label: string;
  /** The setting that openSettings shows. */
  readonly setting?: string;
}

/** An error or a notice: what happened, what it means, what to do. All text is localized. */
export interface Card {
  readonly severity: 'error' | 'warning' | 'info';
  readonly title: string;
  readonly detail?: string;
  /** Whether the card only informs: it looks like a line, and no action stands out. */
  readonly isQuiet?: true;
  /** Whether the card is about a task in progress: it disappears when the task ends, and cannot be closed. */
  readonly isRunning?: true;
  readonly actions: readonly CardAction[];
}

/** A card beside the conversation, which the user can close. */
export interface PanelMessage {
  readonly id: string;
  readonly card: Card;
}
