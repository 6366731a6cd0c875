import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { Refusal } from '../../../../platform/pages/callError.ts';
import type { ChangeState, ShownChanges } from '../../../../protocol/changesView.ts';
import { sha256Hex } from '../../../../util/sha256.ts';
import { ChangeSet, type FileChange, isOpen } from '../../common/changeSet.ts';
import { Version } from '../../common/version.ts';
import type { CodeSource } from '../acceptedCode.ts';
import { WorkspaceFiles } from '../writing/workspaceFiles.ts';
import { fileOfChange } from './fileToChange.ts';
import { languageOf } from './languageOf.ts';
import type { ChangeAct, WritableChanges } from './writableChanges.ts';

const t = vscode.l10n.t;

interface Watching {
  whyNot(act: ChangeAct, unseen: readonly FileChange[]): string | null;
  /** Called after a decision. */
  didDecide(): void;
  /** Called with an open change of which a part was undone. */
  didReopen(change: FileChange): Promise<void>;
}

const unwatched: Watching = { whyNot: () => null, didDecide() {}, didReopen: () => Promise.resolve() };

/** The changes that were proposed in one conversation, with what the user has decided. In memory only. */
export class ConversationChanges implements WritableChanges {
  readonly id = randomUUID();
  readonly set = new ChangeSet({ ignoresCase: process.platform === 'win32' || process.platform === 'darwin' });
  readonly mustRecord = true;
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

  readonly #watching: Watching;

  constructor(watching = unwatched) {
    this.#watching = watching;
  }

  get open(): readonly FileChange[] {
    return this.set.changes.filter(isOpen);
  }

  whyNot(act: ChangeAct, accepted: readonly FileChange[] = []): string | null {
    const unseen = accepted.filter((change) => !this.isShown(change));
    return this.#watching.whyNot(act, unseen);
  }

  didAccept(changes: readonly FileChange[]): void {
    for (const change of changes) this.#written.set(change, (this.#written.get(change) ?? 0) + 1);
    this.didReject(changes);
  }

  didReject(changes: readonly FileChange[]): void {
    this.noteDecided(changes);
    this.#watching.didDecide();
  }

  /** Checks that open changes fit again. */
  async didUndo(restored: readonly FileChange[]): Promise<void> {
    for (const change of restored) this.#written.set(change, (this.#written.get(change) ?? 1) - 1);
    for (const change of restored.filter(isOpen)) {
      const lines = await this.files.lines(change.from ?? change.to ?? '').catch(() => undefined);
      if (lines === undefined) continue;
      this.set.check(change, lines);
      await this.#watching.didReopen(change);
    }
    this.didReject(restored);
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
    return { set: this.id, version: this.#version.of([...changes, ...states, this.decisions]) };
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
    if (change !== undefined && !isOpen(change)) return undefined;
    if (change === undefined || this.versionOf(change) !== version) throw otherChanges();
    return change;
  }

  /** Throws a Refusal if these are not the changes, in the state, that the page has shown. */
  requireShown(shown: ShownChanges): void {
    const { set, version } = this.shown;
    if (shown.set !== set || shown.version !== version) throw otherChanges();
  }

  sourceOf(change: FileChange): CodeSource {
    return this.#sources.get(change) ?? {};
  }

  languageOf({ from, to }: FileChange, lines: readonly string[]): string {
    return languageOf(to ?? from ?? '', lines);
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
