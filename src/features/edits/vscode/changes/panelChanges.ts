import type { ChangeDecision, ChangesView } from '../../../../protocol/changesView.ts';
import type { Event } from '../../../../util/event.ts';

/** The proposed changes of the panel, and what the user can do with them. */
export interface PanelChanges {
  /** Returns undefined if there is nothing to show. */
  view(): ChangesView | undefined;
  readonly onDidChange: Event<void>;
  /** Opens the diff of a change. */
  open(id: string): Promise<void>;
  decide(id: string, decision: ChangeDecision): Promise<void>;
  /** Carries an outdated change over to the present text of its file, and opens its diff. */
  carryOver(id: string): Promise<void>;
  /** Decides all changes that wait for a decision. */
  decideAll(decision: ChangeDecision): Promise<void>;
  /** Undoes the last accept. Returns false if there is none. */
  undo(): Promise<boolean>;
  /** Hides the changes, if none of them waits for a decision. */
  close(): void;
}
