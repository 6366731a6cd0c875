import * as vscode from 'vscode';
import { Disposable } from '../../util/disposable.ts';
import type { Logger } from '../../util/logger.ts';
import { stepDone } from '../firstSteps.ts';
import { showError, showInformation } from '../messages.ts';
import { confirmAccept, confirmGuarded, hiddenDiagnostics, hiddenIn } from './confirm.ts';
import { HunkActions } from './hunkActions.ts';
import { type Hunk, hunkAt, linesOf } from './hunks.ts';
import type { PlaceCode } from './places.ts';
import { emptySide, Proposal } from './proposal.ts';
import { proposalScheme } from './proposalScheme.ts';
import { keeperFor } from './secretKeeper.ts';
import { type Target, whyReadOnly } from './target.ts';
import { writeAll, writeHunks } from './write.ts';

const t = vscode.l10n.t;

/** Milliseconds in which VS Code has sent a text off that it was told of. */
const headStart = 5;

/** What became of an accept or a reject, for keybindings and other code. */
export type Decided =
  | { readonly ok: true; readonly left: number }
  | { readonly ok: false; readonly reason: 'none' | 'changed' | 'refused' | 'cancelled' };

/**
 * The one way to change code: every edit is a proposal that a person sees as a diff before a byte is written, one for
 * each document at a time. Its text is a virtual document, so nothing of it is on disk until it is accepted.
 */
export class Proposals extends Disposable implements vscode.TextDocumentContentProvider {
  readonly #changed = this._register(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.#changed.event;
  readonly #open = new Map<string, Proposal>();
  readonly #hunkActions = this._register(new HunkActions((uri) => this.#open.get(uri.toString())));
  readonly #hidden = this._register(vscode.languages.createDiagnosticCollection(proposalScheme));
  readonly #mayOpenUntitled: () => Promise<boolean>;
  readonly #logger: Pick<Logger, 'debug'>;
  #count = 0;

  /** `mayOpenUntitled` asks the user, where it has to be asked, before accepted code becomes a document without a file. */
  constructor(mayOpenUntitled: () => Promise<boolean>, logger: Pick<Logger, 'debug'>) {
    super();
    this.#mayOpenUntitled = mayOpenUntitled;
    this.#logger = logger;
    this._register(vscode.workspace.registerTextDocumentContentProvider(proposalScheme, this));
    this._register(vscode.window.tabGroups.onDidChangeTabs(({ closed }) => this.#onTabs(closed)));
    this._register(vscode.window.tabGroups.onDidChangeTabGroups(() => this.#tellReady()));
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return uri.authority === emptySide ? '' : (this.#open.get(uri.toString())?.text ?? '');
  }

  /**
   * Whether a document can be changed at all, and says why where it cannot; about settings and the like the person is
   * asked. Before anything is sent.
   */
  async canChange(document: vscode.TextDocument): Promise<boolean> {
    const reason = await whyReadOnly(document);
    if (reason === null) return confirmGuarded(document.uri);
    void showError(t('This document cannot be changed: {0}. Nothing was sent.', reason));
    return false;
  }

  /** The codes of an answer with the target's own secrets where their marks are. Before they are placed. */
  async withSecrets(target: Target, codes: readonly string[]): Promise<readonly string[]> {
    if (target.kind !== 'document') return codes;
    const keeper = await keeperFor(target);
    const restored = codes.map((code) => keeper.putBack(code, linesOf(target.text)));
    const count = restored.reduce((sum, one) => sum + one.count, 0);
    if (count > 0) this.#logger.debug(`Secrets put back into a proposal: ${count}.`);
    return restored.map(({ text }) => text);
  }

  /** Shows a proposal without code yet; `stop` is called when it is rejected while its answer still comes. */
  async begin(target: Target, stop: () => void): Promise<Proposal> {
    const keeper = await keeperFor(target);
    this.#count += 1;
    const proposal = new Proposal(target, keeper, this.#count, stop, (each) => this.#show(each));
    const old = [...this.#open.values()].find(({ originalUri, target: { kind } }) =>
      kind === 'untitled' ? target.kind === 'untitled' : originalUri.toString() === proposal.originalUri.toString(),
    );
    if (old !== undefined) await this.reject(old.uri);
    this.#open.set(proposal.uri.toString(), proposal);
    const shown = await vscode.workspace.openTextDocument(proposal.uri);
    await vscode.languages.setTextDocumentLanguage(shown, proposal.languageId);
    // Not as a preview: the next file that is looked at would take its place, which is rejecting it.
    const title = t('Proposal for {0}', proposal.name);
    const options = { preview: false };
    await vscode.commands.executeCommand('vscode.diff', proposal.originalUri, proposal.uri, title, options);
    return proposal;
  }

  /** Shows the code of each place as far as it has come; `codes` is asked for it when that is drawn. */
  update(proposal: Proposal, codes: () => readonly string[]): void {
    if (this.#isOpen(proposal)) proposal.drawing.soon(() => proposal.draft.update(codes()));
  }

  /** The answer is complete: the person can decide now. False where there is nothing to decide. */
  async complete(proposal: Proposal, codes: readonly PlaceCode[]): Promise<boolean> {
    if (!this.#isOpen(proposal)) return false;
    const { draft } = proposal;
    draft.complete(codes);
    if (draft.isUnchanged) {
      await this.reject(proposal.uri);
      void showInformation(t('The answer changes nothing in {0}.', proposal.name));
      return false;
    }
    await this.#redraw(proposal);
    return true;
  }

  /** Writes what is left of a proposal where it belongs, formatted, undone by one undo. */
  async accept(uri?: vscode.Uri): Promise<Decided> {
    const proposal = this.#toDecide(uri);
    return proposal === undefined ? nothing : this.#accept(proposal, ({ draft }) => draft.hunks);
  }

  /** Writes one hunk: the one at the cursor, or at a line of the proposed text. */
  async acceptHunk(uri?: vscode.Uri, line?: number): Promise<Decided> {
    const proposal = this.#toDecide(uri);
    if (proposal === undefined) return nothing;
    return this.#accept(proposal, () => this.#hunk(proposal, line));
  }

  /** Takes one hunk out of the proposal. */
  async rejectHunk(uri?: vscode.Uri, line?: number): Promise<Decided> {
    const proposal = this.#toDecide(uri);
    if (proposal === undefined) return nothing;
    if (!proposal.fits()) return this.#refuseChanged();
    const [hunk] = this.#hunk(proposal, line);
    if (hunk === undefined) return nothing;
    if (proposal.draft.hunks.length === 1) return this.reject(proposal.uri);
    proposal.draft.reject(hunk);
    await this.#redraw(proposal);
    return { ok: true, left: proposal.draft.hunks.length };
  }

  /** Forgets a proposal, whether it is in sight or not; the document stays as it is. */
  async reject(uri?: vscode.Uri): Promise<Decided> {
    const proposal = this.#find(uri);
    if (proposal === undefined) return nothing;
    proposal.stop();
    this.#forget(proposal);
    await this.#closeTabs(proposal);
    return { ok: true, left: 0 };
  }

  override dispose(): void {
    for (const { drawing } of this.#open.values()) drawing.stop();
    super.dispose();
  }

  /** `choose` is asked once it is known that the document fits, which may bring an undone hunk back. */
  async #accept(proposal: Proposal, choose: (proposal: Proposal) => readonly Hunk[]): Promise<Decided> {
    const { draft, target } = proposal;
    if (!proposal.fits()) return this.#refuseChanged();
    const hunks = choose(proposal);
    if (hunks.length === 0) return nothing;
    const isAllowed = target.kind !== 'untitled' || (await this.#mayOpenUntitled());
    if (!isAllowed || !(await confirmAccept(proposal, hunks))) return { ok: false, reason: 'cancelled' };
    // While the person was asked, time went by.
    if (!this.#isOpen(proposal)) return nothing;
    if (!proposal.fits() || !hunks.every((hunk) => draft.hunks.includes(hunk))) return this.#refuseChanged();
    const isLast = hunks.length === draft.hunks.length;
    // Closing the diff of a proposal that is written is not rejecting it.
    if (isLast) this.#forget(proposal);
    if (!(await (isLast ? writeAll(proposal) : writeHunks(proposal, hunks)))) {
      if (isLast) this.#open.set(proposal.uri.toString(), proposal);
      void showError(
        target.kind === 'file'
          ? t('{0} could not be made: it may exist by now.', proposal.name)
          : t('VS Code refused the edit: the file may be read-only.'),
      );
      return { ok: false, reason: 'refused' };
    }
    stepDone('changed');
    if (isLast) {
      await this.#closeTabs(proposal);
      return { ok: true, left: 0 };
    }
    for (const hunk of hunks) draft.accept(hunk);
    await this.#redraw(proposal);
    return { ok: true, left: draft.hunks.length };
  }

  #refuseChanged(): Decided {
    void showError(t('The file changed after the proposal was made, so it was not applied. Reject it and ask again.'));
    return { ok: false, reason: 'changed' };
  }

  /** The proposal a command is for: the one it names, else the one in front. */
  #find(uri: vscode.Uri | undefined): Proposal | undefined {
    return uri === undefined ? this.#inFront() : this.#open.get(uri.toString());
  }

  /** The same, where it is complete and in sight: what is accepted, the user has before them. */
  #toDecide(uri: vscode.Uri | undefined): Proposal | undefined {
    const found = this.#find(uri);
    const isSeen = ({ activeTab }: vscode.TabGroup): boolean =>
      activeTab !== undefined && found !== undefined && tabShows(activeTab, found.uri);
    return found?.draft.isComplete === true && vscode.window.tabGroups.all.some(isSeen) ? found : undefined;
  }

  #inFront(): Proposal | undefined {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    return [...this.#open.values()].find(({ uri }) => tab !== undefined && tabShows(tab, uri));
  }

  #hunk({ draft, uri }: Proposal, line: number | undefined): readonly Hunk[] {
    const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
    const asked = line ?? editor?.selection.active.line ?? 0;
    const found = hunkAt(draft.hunks, asked);
    if (found === undefined) void showInformation(t('Put the cursor on a change first.'));
    return found === undefined ? [] : [found];
  }

  #isOpen(proposal: Proposal): boolean {
    return this.#open.get(proposal.uri.toString()) === proposal;
  }

  #forget(proposal: Proposal): void {
    proposal.drawing.stop();
    this.#open.delete(proposal.uri.toString());
    this.#hidden.delete(proposal.uri);
    this.#tellReady();
  }

  /** Draws the diff as it is now, with the cursor on the change that is next to be decided. */
  async #redraw(proposal: Proposal): Promise<void> {
    const drawn = proposal.drawing.now();
    // The text is on its way then: what there is to decide is found while VS Code takes it over.
    await new Promise((resolve) => setTimeout(resolve, headStart));
    const hidden = hiddenDiagnostics(hiddenIn(proposal, proposal.draft.hunks));
    await drawn;
    this.#hidden.set(proposal.uri, hidden);
    this.#hunkActions.redraw(proposal);
    this.#tellReady();
  }

  async #show(proposal: Proposal): Promise<void> {
    const drawn = textIs(proposal.uri, proposal.text);
    this.#changed.fire(proposal.uri);
    await drawn;
  }

  #tellReady(): void {
    const isReady = this.#inFront()?.draft.isComplete === true;
    void vscode.commands.executeCommand('setContext', 'svc.proposalReady', isReady);
  }

  #onTabs(closed: readonly vscode.Tab[]): void {
    const left = allTabs();
    for (const proposal of [...this.#open.values()]) {
      const wasClosed = closed.some((tab) => tabShows(tab, proposal.uri));
      // Closing the diff is saying no.
      if (wasClosed && !left.some((tab) => tabShows(tab, proposal.uri))) void this.reject(proposal.uri);
    }
    this.#tellReady();
  }

  async #closeTabs({ uri }: Proposal): Promise<void> {
    await vscode.window.tabGroups.close(allTabs().filter((tab) => tabShows(tab, uri)));
  }
}

const nothing: Decided = { ok: false, reason: 'none' };

function allTabs(): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
}

function tabShows({ input }: vscode.Tab, uri: vscode.Uri): boolean {
  return input instanceof vscode.TabInputTextDiff && input.modified.toString() === uri.toString();
}

/** How long VS Code is waited for, in ms, before what there is to decide is offered all the same: on a busy machine. */
const takeOverTime = 10_000;

/** Resolves when VS Code has taken a virtual document's new text over, or is not going to. */
function textIs(uri: vscode.Uri, text: string): Promise<void> {
  const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
  const lines = (all: string): string => all.replaceAll('\r\n', '\n');
  if (document === undefined || lines(document.getText()) === lines(text)) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      listening.dispose();
      resolve();
    };
    const timer = setTimeout(done, takeOverTime);
    const listening = vscode.Disposable.from(
      vscode.workspace.onDidCloseTextDocument((closed) => {
        if (closed === document) done();
      }),
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document === document && lines(document.getText()) === lines(text)) done();
      }),
    );
  });
}
