import type * as vscode from 'vscode';
import type { ChangeDecision } from '../../../../protocol/changesView.ts';
import type { ChangeSet, FileChange } from '../../common/changeSet.ts';
import type { Files } from '../../common/writeChanges.ts';
import type { CodeSource } from '../acceptedCode.ts';
import type { KeptFile } from '../writing/workspaceFiles.ts';

/** Changes on which the user decides: all that was proposed in a conversation, or the single change of a file. */
export interface WritableChanges {
  /** Names the change set in the audit log. */
  readonly id: string;
  readonly set: ChangeSet;
  /** The files of the changes, which also write them. */
  readonly files: Files<KeptFile>;
  /** Whether the user has seen the present change in its diff. */
  isShown(change: FileChange): boolean;
  noteShown?(change: FileChange): void;
  /** Whether nothing is written if the accept cannot be recorded before, also without required evidence. */
  readonly mustRecord: boolean;
  /** The text to which the service added its lines, if it is not the text of the file: a copy may replace another file. */
  readonly base?: string;
  /** Returns the file behind the path of a change, or undefined if it has none. */
  fileOf(path: string): vscode.Uri | undefined;
  /** Returns the path of the file in the workspace, if its change has only the name of it. */
  pathOf?(): string;
  /** Returns the request that proposed a change last. */
  sourceOf(change: FileChange): CodeSource;
  languageOf(change: FileChange, lines: readonly string[]): string;
  /** Returns the reason why this cannot be done now, or why these changes cannot be accepted, or null if there is none. */
  whyNot?(act: ChangeAct, accepted?: readonly FileChange[]): string | null;
  didAccept?(changes: readonly FileChange[]): void;
  didReject?(changes: readonly FileChange[]): void;
  /** Called with the changes whose files were restored. */
  didUndo?(changes: readonly FileChange[]): Promise<void>;
}

/** An act of a user on changes. To carry a change over needs what an accept needs. */
export type ChangeAct = ChangeDecision | 'undo';

/** A change, and the changes to which it belongs. */
export interface OwnedChange {
  readonly changes: WritableChanges;
  readonly change: FileChange;
}
