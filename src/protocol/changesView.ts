export type ChangeKind = 'edit' | 'create' | 'delete' | 'rename';

/** A stale change was proposed for a text that its file no longer has. */
export type ChangeState = 'proposed' | 'stale' | 'accepted' | 'rejected' | 'undone';

/** The user's decision on a change. */
export type ChangeDecision = 'accept' | 'reject';

/** The changes that the page shows: a decision is for these, and for this state of them. */
export interface ShownChanges {
  readonly set: string;
  readonly version: number;
}

/** The proposed change of one file. */
export interface ChangedFileView {
  readonly id: string;
  /** The number of the state of the change: a decision is for this state. */
  readonly version: number;
  readonly kind: ChangeKind;
  /** The path of the file, for display; the new path if the file gets another name. */
  readonly path: string;
  /** The former path of a file that gets another name. */
  readonly from?: string;
  /** The number of added lines. */
  readonly added: number;
  /** The number of removed lines. */
  readonly removed: number;
  readonly state: ChangeState;
  /** Whether the change of an outdated file may be carried over to the present text. */
  readonly canCarryOver?: true;
  /** Whether the managed policy requires that the user opens the diff before they accept the change. */
  readonly mustReview?: true;
  /** Notes on the change, such as `new · can run in a build`; localized, and empty if there are none. */
  readonly note: string;
  /** The description of the change for a screen reader, without its state; localized. */
  readonly label: string;
}

/** The changes of files that the model has proposed in the conversation. */
export interface ChangesView {
  readonly shown: ShownChanges;
  /** A localized summary, such as `Files with proposed changes: 5 (+84 −31). Nothing has been written.` */
  readonly title: string;
  readonly files: readonly ChangedFileView[];
  /** Whether the user can decide. They cannot while an answer is in progress, because it may propose more. */
  readonly canDecide: boolean;
  /** Whether a change waits for a decision. */
  readonly hasOpen: boolean;
  /** The localized label of the button that undoes the last accept; omitted if nothing can be undone. */
  readonly undo?: string;
}
