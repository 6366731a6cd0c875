import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import type { ChangeState } from '../../../../protocol/changesView.ts';
import { sha256Hex } from '../../../../util/sha256.ts';
import { ChangeSet, type FileChange } from '../../common/changeSet.ts';
import type { Accepted } from '../../common/writeChanges.ts';
import type { CodeSource } from '../acceptedCode.ts';
import type { KeptFile } from './workspaceFiles.ts';

/** An accept that can be undone. */
interface UndoableAccept {
  readonly accepted: Accepted<KeptFile>;
  readonly changes: readonly FileChange[];
}

/** The maximum number of accepts that can be undone, and of bytes that are kept for it. */
const maxAccepts = 20;
const maxKeptBytes = 64 * 1024 * 1024;

/** The changes that were proposed in one conversation, with what the user has decided. In memory only. */
export class ConversationChanges {
  /** Names the change set in the audit log. */
  readonly id = randomUUID();
  readonly set = new ChangeSet({ ignoresCase: process.platform === 'win32' || process.platform === 'darwin' });
  /** The accepts that can be undone, the last one at the end. */
  readonly accepts: UndoableAccept[] = [];
  /** The number of accepts of each change that were not undone. */
  readonly #written = new Map<FileChange, number>();
  /** Whether the user has closed the card. The next proposal shows it again. */
  isHidden = false;
  readonly #ids = new Map<FileChange, string>();
  readonly #sources = new Map<FileChange, CodeSource>();
  readonly #shown = new Set<FileChange>();
  /** The hashes of the texts that the model has read, by the URI of their files. */
  readonly #read = new Map<string, string>();

  get open(): readonly FileChange[] {
    return this.set.changes.filter((change) => this.isOpen(change));
  }

  isOpen({ state }: FileChange): boolean {
    return state === 'proposed' || state === 'stale';
  }

  /** Keeps an accept for undo. The oldest ones are forgotten if there are too many. */
  didAccept(accepted: Accepted<KeptFile>, changes: readonly FileChange[]): void {
    this.accepts.push({ accepted, changes });
    for (const change of changes) this.#written.set(change, (this.#written.get(change) ?? 0) + 1);
    const bytes = (): number => this.accepts.reduce((sum, { accepted: { steps } }) => sum + bytesOf(steps), 0);
    while (this.accepts.length > maxAccepts || (this.accepts.length > 1 && bytes() > maxKeptBytes))
      this.accepts.shift();
  }

  didUndo(changes: readonly FileChange[]): void {
    for (const change of changes) this.#written.set(change, (this.#written.get(change) ?? 1) - 1);
  }

  /** Whether the change, or a part of it, is written. */
  isWritten(change: FileChange): boolean {
    return (this.#written.get(change) ?? 0) > 0;
  }

  /** The state of a change; a change that was accepted is `undone` if nothing of it is written any more. */
  stateOf(change: FileChange): ChangeState {
    return change.state === 'accepted' && !this.isWritten(change) ? 'undone' : change.state;
  }

  /** Returns an id by which the page names a change. */
  idOf(change: FileChange): string {
    const id = this.#ids.get(change) ?? String(this.#ids.size + 1);
    this.#ids.set(change, id);
    return id;
  }

  withId(id: string): FileChange | undefined {
    return this.set.changes.find((change) => this.#ids.get(change) === id);
  }

  /** Returns the request that proposed a change last. */
  sourceOf(change: FileChange): CodeSource {
    return this.#sources.get(change) ?? {};
  }

  proposedBy(change: FileChange, source: CodeSource): void {
    this.#sources.set(change, source);
    this.isHidden = false;
    // The user has not seen what is new in it.
    this.#shown.delete(change);
  }

  noteShown(change: FileChange): void {
    this.#shown.add(change);
  }

  isShown(change: FileChange): boolean {
    return this.#shown.has(change);
  }

  noteRead(file: vscode.Uri, text: string): void {
    this.#read.set(file.toString(), sha256Hex(text));
  }

  /** Whether the model has read this text of a file completely. */
  hasRead(file: vscode.Uri, text: string): boolean {
    return this.#read.get(file.toString()) === sha256Hex(text);
  }
}

function bytesOf(steps: Accepted<KeptFile>['steps']): number {
  return steps.flat().reduce((sum, { before }) => sum + (before?.bytes.length ?? 0), 0);
}
