import type { ChangeDecision, ChangesView, ShownChanges } from '../../../../protocol/changesView.ts';
import type { Event } from '../../../../util/event.ts';
import type { ContextSource } from '../../../context/vscode/source.ts';

/** The proposed changes of the panel, and what the user can do with them. */
export interface PanelChanges {
  /** Returns undefined if there is nothing to show. */
  view(): ChangesView | undefined;
  readonly onDidChange: Event<void>;
  /** Proposes all code of an answer that names its file. `ask` asks a question in the same conversation. */
  proposeAll(turnId: string, ask: (question: string) => unknown): Promise<void>;
  /** Opens the diff of a change. */
  open(id: string): Promise<void>;
  /** Rejects if the change is not the one that was shown, with this version. */
  decide(id: string, version: number, decision: ChangeDecision): Promise<void>;
  /** Carries an outdated change over to the present text of its file, and opens its diff. */
  carryOver(id: string, version: number): Promise<void>;
  /** Decides all changes that wait for a decision. Rejects if they are not the ones that were shown. */
  decideAll(decision: ChangeDecision, shown?: ShownChanges): Promise<void>;
  /** Undoes the last accept. Returns false if there is none. Rejects if the changes are not the ones that were shown. */
  undo(shown?: ShownChanges): Promise<boolean>;
  /** Hides the changes, if none of them waits for a decision. */
  close(): void;
  /** Returns the decisions that the model does not know yet, or undefined if there are none. */
  decisions(): Decisions | undefined;
  /** Called when the model knows what the user has decided. */
  told(): void;
}

/** The beginning of the keys of sources with decisions. */
export const decisionsPrefix = 'decisions:';

/** The decisions of the user about the changes of a conversation. */
export interface Decisions {
  readonly source: ContextSource;
  /** The number of decisions so far. */
  readonly version: number;
}
