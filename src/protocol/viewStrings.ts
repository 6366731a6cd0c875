/** Texts of the view, localized by the host; JSON in the `data-strings` attribute of body. */
export interface ViewStrings {
  readonly composer: string;
  readonly composerPlaceholder: string;
  /** Tells users of a screen reader how to get help. */
  readonly helpHint: string;
  readonly send: string;
  readonly stop: string;
  readonly newChat: string;
  readonly copyCode: string;
  readonly copied: string;
  readonly insertCode: string;
  readonly newFile: string;
  readonly applyCode: string;
  readonly applyAll: string;
  readonly proposeAll: string;
  /** The reason why code cannot be used yet. */
  readonly codeUnfinished: string;
  readonly codeCut: string;
  /** `{0}` is the number of lines. */
  readonly showAllLines: string;
  readonly showFewerLines: string;
  /** Shown above an answer that is plain text because the Markdown renderer could not be loaded. */
  readonly plainAnswer: string;
  readonly copyAnswer: string;
  readonly copyFormula: string;
  /** The label, for a screen reader, of the box of a task in an answer. */
  readonly taskDone: string;
  readonly taskOpen: string;
  readonly retryNow: string;
  readonly cancel: string;
  readonly close: string;
  /** `{0}` is the number of seconds. */
  readonly retryingIn: string;
  readonly askAgain: string;
  readonly continueAnswer: string;
  readonly edit: string;
  readonly asAbove: string;
  readonly asAboveDetail: string;
  readonly changesOnly: string;
  readonly changesOnlyDetail: string;
  /** The reason why an edited question cannot be sent yet. */
  readonly editLater: string;
  /** The switch between the branches that begin at a question. */
  readonly versions: string;
  readonly olderVersion: string;
  readonly newerVersion: string;
  /** `{0}` is of the form `2/3`. */
  readonly versionShown: string;
  readonly you: string;
  readonly answer: string;
  /** Announced when a key goes to an answer: `{0}` is its number, `{1}` the number of answers. */
  readonly answerOf: string;
  readonly transcript: string;
  readonly waiting: string;
  /** `{0}` is the number of seconds. */
  readonly seconds: string;
  readonly model: string;
  readonly mode: string;
  readonly carryOut: string;
  readonly goOn: string;
  readonly posture: string;
  readonly noPosture: string;
  readonly blocked: string;
  readonly preview: string;
  readonly attach: string;
  readonly attachments: string;
  readonly remove: string;
  /** Shown while the user drags something that can be attached. */
  readonly dropHint: string;
  /** Shown when an image is pasted or dropped. */
  readonly noImages: string;
  /** The label of the list of long pasted texts. */
  readonly pastedTexts: string;
  /** `{0}` is the number of characters. */
  readonly pastedText: string;
  readonly suggestions: string;
  /** `{0}` is the number of suggestions. */
  readonly suggestionCount: string;
  readonly noSuggestions: string;
  readonly showExactText: string;
  readonly requested: string;
  readonly said: string;
  readonly reportText: string;
  readonly header: string;
  /** `{0}` is the tool and its target. */
  readonly details: string;
  readonly allowOnce: string;
  readonly allowInConversation: string;
  readonly deny: string;
  readonly toolInput: string;
  readonly toolResult: string;
  readonly showAll: string;
  readonly showLess: string;
  readonly waitingQuestion: string;
  /**
   * Shown with a waiting question while an answer is in progress; `notSent`, if that answer did not end normally; `sending`,
   * while the attachments of the question are read.
   */
  readonly waitsForAnswer: string;
  readonly notSent: string;
  readonly sending: string;
  readonly stopAndSend: string;
  readonly editWaiting: string;
  /** The label of the list of proposed changes. */
  readonly changes: string;
  readonly acceptChange: string;
  readonly rejectChange: string;
  readonly acceptAllChanges: string;
  readonly rejectAllChanges: string;
  /** The reason why the changes cannot be decided yet. */
  readonly decideLater: string;
  readonly changeAccepted: string;
  readonly changeRejected: string;
  readonly changeUndone: string;
  readonly changeStale: string;
  readonly changeStaleDetail: string;
  readonly changeCarryDetail: string;
  readonly carryOver: string;
  readonly changeUnseen: string;
  readonly changeUnseenDetail: string;
  readonly reviewFirst: string;
  readonly editSummary: string;
  readonly save: string;
  readonly undoSummary: string;
  readonly showTurns: string;
  readonly hideTurns: string;
  readonly questionSent: string;
  readonly answerStarted: string;
  /** Announced when a request waits for the user's decision. */
  readonly confirming: string;
  /** `{0}` is the number of code blocks. */
  readonly answerComplete: string;
  readonly find: string;
  /** `{0}` is the number of the current match, `{1}` the number of matches. */
  readonly matchOf: string;
  readonly noMatches: string;
  readonly clearSearch: string;
  readonly nextMatch: string;
  readonly previousMatch: string;
  readonly emptyTitle: string;
  readonly emptyHint: string;
}
