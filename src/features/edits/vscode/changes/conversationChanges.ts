import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { Refusal } from '../../../../platform/pages/callError.ts';
import type { ChangeState, ShownChanges } from '../../../../protocol/changesView.ts';
import { sha256Hex } from '../../../../util/sha256.ts';
import { ChangeSet, type FileChange } from '../../common/changeSet.ts';
import { Version } from '../../common/version.ts';
import type { Accepted, LeftAlone } from '../../common/writeChanges.ts';
import type { CodeSource } from '../acceptedCode.ts';
import { fileOfChange } from './fileToChange.ts';
import { type KeptFile, WorkspaceFiles } from './workspaceFiles.ts';

const t = vscode.l10n.t;

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
  /** The changes that the user has decided about since the model was told last. */
  readonly #untold = new Set<FileChange>();
  /** The number of decisions so far. */
  decisions = 0;
  /** Whether the user has closed the card. The next proposal shows it again. */
  isHidden = false;
  readonly #ids = new Map<FileChange, string>();
  readonly #version = new Version();
  readonly #versions = new WeakMap<FileChange, Version>();
  readonly #sources = new Map<FileChange, CodeSource>();
  /** The changes whose diff was open, each with the number of times that it was carried over before. */
  readonly #shown = new Map<FileChange, number>();
  /** The files of the changes, which also write them. */
  readonly files = new WorkspaceFiles({ resolve: (path) => this.#fileAt(path) });
  /** The file behind each path. A path may lead to another file later, such as after a workspace folder was removed. */
  readonly #uris = new Map<string, vscode.Uri>();
  /** The files that the model has read, by their URIs: the hash of the whole text, or null if it has read only a part. */
  readonly #read = new Map<string, string | null>();

  get open(): readonly FileChange[] {
    return this.set.changes.filter((change) => this.isOpen(change));
  }

  isOpen({ state }: FileChange): boolean {
    return state === 'proposed' || state === 'stale';
  }

  /** Keeps an accept for undo. The oldest ones are forgotten if there are too many. */
  didAccept(accepted: Accepted<KeptFile>, changes: readonly FileChange[]): void {
    this.accepts.push({ accepted, changes });
    this.noteDecided(changes);
    for (const change of changes) this.#written.set(change, (this.#written.get(change) ?? 0) + 1);
    const bytes = (): number => this.accepts.reduce((sum, { accepted: { steps } }) => sum + bytesOf(steps), 0);
    while (this.accepts.length > maxAccepts || (this.accepts.length > 1 && bytes() > maxKeptBytes))
      this.accepts.shift();
  }

  /** Records an undo. Files that could not be restored for a reason other than a change of theirs can be undone again. */
  didUndo(restored: readonly FileChange[], { accepted }: UndoableAccept, left: readonly LeftAlone[]): void {
    this.noteDecided(restored);
    for (const change of restored) this.#written.set(change, (this.#written.get(change) ?? 1) - 1);
    const failed = left.filter(({ reason }) => reason !== undefined).flatMap(({ paths }) => paths);
    const steps = accepted.steps.filter((step) => step.some(({ path }) => failed.includes(path)));
    const changes = this.set.changes.filter(({ from, to }) => failed.some((path) => path === from || path === to));
    if (steps.length > 0) this.accepts.push({ accepted: { steps }, changes });
  }

  /** Notes a decision of the user: the model is told with the next question. */
  noteDecided(changes: readonly FileChange[]): void {
    for (const change of changes) this.#untold.add(change);
    this.decisions += 1;
  }

  get untold(): readonly FileChange[] {
    return this.set.changes.filter((change) => this.#untold.has(change));
  }

  noteTold(): void {
    this.#untold.clear();
  }

  /** Whether the change, or a part of it, is written. */
  isWritten(change: FileChange): boolean {
    return (this.#written.get(change) ?? 0) > 0;
  }

  /** The state of a change; a change that was accepted is `undone` if no part of it is in the files any more. */
  stateOf(change: FileChange): ChangeState {
    return change.state === 'accepted' && !this.isWritten(change) ? 'undone' : change.state;
  }

  /** Returns an id by which the page names a change. */
  idOf(change: FileChange): string {
    // The id names the set, too: the page may still show the changes of another conversation.
    const id = this.#ids.get(change) ?? `${this.id} ${this.#ids.size + 1}`;
    this.#ids.set(change, id);
    return id;
  }

  withId(id: string): FileChange | undefined {
    return this.set.changes.find((change) => this.#ids.get(change) === id);
  }

  /** Names the changes and their state, for the page. */
  get shown(): ShownChanges {
    const { changes } = this.set;
    const states = changes.map((change) => this.versionOf(change));
    return { set: this.id, version: this.#version.of([...changes, ...states, ...this.accepts]) };
  }

  versionOf(change: FileChange): number {
    const version = this.#versions.get(change) ?? new Version();
    this.#versions.set(change, version);
    const { from, to, state, draft } = change;
    return version.of([from, to, state, draft.original, draft.proposed]);
  }

  /** Returns the change that the page has shown in this state, or undefined if it is decided. Throws a Refusal for any other. */
  openAsShown(id: string, version: number): FileChange | undefined {
    const change = this.withId(id);
    if (change !== undefined && !this.isOpen(change)) return undefined;
    if (change === undefined || this.versionOf(change) !== version) throw otherChanges();
    return change;
  }

  /** Throws a Refusal if these are not the changes, in the state, that the page has shown. */
  requireShown(shown: ShownChanges): void {
    const { set, version } = this.shown;
    if (shown.set !== set || shown.version !== version) throw otherChanges();
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
    this.#shown.set(change, change.draft.carried);
  }

  isShown(change: FileChange): boolean {
    return this.#shown.get(change) === change.draft.carried;
  }

  noteRead(file: vscode.Uri, text: string | null): void {
    const known = this.#read.get(file.toString());
    this.#read.set(file.toString(), text === null ? (known ?? null) : sha256Hex(text));
  }

  /** Whether the model has read the file, or with `text` this whole text of it. */
  hasRead(file: vscode.Uri, text?: string): boolean {
    const known = this.#read.get(file.toString());
    return text === undefined ? known !== undefined : known === sha256Hex(text);
  }

  /** Remembers the file behind a path. Returns false if the path led to another file before. */
  noteFile(path: string, file: vscode.Uri): boolean {
    const known = this.#uris.get(path);
    if (known === undefined) this.#uris.set(path, file);
    return known === undefined || known.toString() === file.toString();
  }

  /** Returns the file behind the path of a change. */
  fileOf(path: string): vscode.Uri | undefined {
    return this.#uris.get(path);
  }

  async #fileAt(path: string): Promise<vscode.Uri> {
    const file = await fileOfChange(path);
    if (!this.noteFile(path, file)) throw new Refusal(t('{0} leads to another file now.', path));
    return file;
  }
}

function otherChanges(): Refusal {
  return new Refusal(
    t('Nothing was decided: these are not the changes that were shown. Check them, and decide again.'),
  );
}

function bytesOf(steps: Accepted<KeptFile>['steps']): number {
  return steps.flat().reduce((sum, { before }) => sum + (before?.bytes.length ?? 0), 0);
}
