import * as vscode from 'vscode';
import { proposalScheme } from '../../../../platform/sources/ownDocuments.ts';
import { Disposable } from '../../../../util/disposable.ts';
import { hiddenDiagnostics, hiddenIn } from '../confirm.ts';
import { originalSide, type Proposal } from '../proposal.ts';
import { Front } from './front.ts';
import { HunkActions } from './hunkActions.ts';
import { allTabs, closeTabs, headStart, showDiff, tabShows, textIs } from './proposalTabs.ts';

/** The open proposals and their diffs. The text of a proposal is a virtual document, so no part of it is on the disk. */
export class OpenProposals extends Disposable implements vscode.TextDocumentContentProvider {
  readonly #changed = this._register(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.#changed.event;
  readonly #open = new Map<string, Proposal>();
  readonly #hunkActions = this._register(new HunkActions((uri) => this.at(uri)));
  readonly #hidden = this._register(vscode.languages.createDiagnosticCollection(proposalScheme));
  readonly front = this._register(new Front(() => this.#open.values()));
  readonly #closed = this._register(new vscode.EventEmitter<Proposal>());
  /** Fires when the user has closed the diff of a proposal. */
  readonly onDidClose = this.#closed.event;

  constructor() {
    super();
    this._register({ dispose: () => this.#open.forEach(({ drawing }) => void drawing.stop()) });
    this._register(vscode.workspace.registerTextDocumentContentProvider(proposalScheme, this));
    this._register(vscode.window.tabGroups.onDidChangeTabs(({ closed }) => this.#onTabs(closed)));
    this._register(vscode.window.tabGroups.onDidChangeTabGroups(() => this.#tellReady()));
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const proposal = this.at(uri.with({ authority: '' }));
    return (uri.authority === originalSide ? proposal?.originalText : proposal?.text) ?? '';
  }

  get all(): readonly Proposal[] {
    return [...this.#open.values()];
  }

  at(uri: vscode.Uri): Proposal | undefined {
    return this.#open.get(uri.toString());
  }

  has(proposal: Proposal): boolean {
    return this.at(proposal.uri) === proposal;
  }

  async add(proposal: Proposal, viewColumn?: vscode.ViewColumn): Promise<void> {
    this.#open.set(proposal.uri.toString(), proposal);
    await showDiff(proposal, viewColumn);
  }

  /** Removes a proposal whose diff stays open. */
  remove({ uri }: Proposal): void {
    this.#open.delete(uri.toString());
    this.#hidden.delete(uri);
  }

  /** Ends a proposal, and closes its diff. */
  async end(proposal: Proposal): Promise<void> {
    if (!this.has(proposal)) return;
    this.front.ends(proposal);
    await this.stop(proposal);
  }

  /** Like end(), but the user has decided, so the next key press is accepted. */
  async stop(proposal: Proposal): Promise<void> {
    proposal.stop();
    proposal.drawing.stop();
    this.remove(proposal);
    this.#tellReady();
    await closeTabs(proposal.uri);
  }

  /** Draws the diff and moves the cursor to the next hunk to decide. */
  async redraw(proposal: Proposal): Promise<void> {
    const drawn = proposal.drawing.now();
    // VS Code has the text by then, so the hunks are computed while VS Code applies it.
    await new Promise((resolve) => setTimeout(resolve, headStart));
    const hidden = hiddenDiagnostics(hiddenIn(proposal, proposal.draft.hunks));
    await drawn;
    // The user may have closed the diff in the meantime.
    if (!this.has(proposal)) return;
    this.#hidden.set(proposal.uri, hidden);
    this.#hunkActions.redraw(proposal);
    this.#tellReady();
  }

  /** Draws the proposed text. Resolves when VS Code shows it. */
  async drawText(proposal: Proposal): Promise<void> {
    const drawn = textIs(proposal.uri, proposal.text);
    this.#changed.fire(proposal.uri);
    await drawn;
  }

  drawOriginal(proposal: Proposal): void {
    this.#changed.fire(proposal.originalUri);
  }

  /** Draws the actions of the hunks again, without moving the cursor. */
  drawActions(proposal: Proposal): void {
    this.#hunkActions.refresh(proposal);
  }

  #tellReady(): void {
    this.front.look();
    const isReady = this.front.proposal?.draft.isComplete === true;
    void vscode.commands.executeCommand('setContext', 'svc.proposalReady', isReady);
  }

  #onTabs(closed: readonly vscode.Tab[]): void {
    const remaining = allTabs();
    for (const proposal of this.all) {
      const wasClosed = closed.some((tab) => tabShows(tab, proposal.uri));
      if (wasClosed && !remaining.some((tab) => tabShows(tab, proposal.uri))) this.#closed.fire(proposal);
    }
    this.#tellReady();
  }
}
