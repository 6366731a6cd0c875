import * as vscode from 'vscode';
import { stepDone } from '../../../platform/messages/firstStep.ts';
import { showHint } from '../../../platform/messages/hint.ts';
import { showError } from '../../../platform/messages/show.ts';
import { proposalScheme } from '../../../platform/sources/ownDocuments.ts';
import { Disposable } from '../../../util/disposable.ts';
import type { Logger } from '../../../util/logger.ts';
import type { Draft } from '../common/draft.ts';
import type { Hunk } from '../common/hunks.ts';
import type { CodeSource, OnAccepted } from './acceptedCode.ts';
import { confirmGuarded, hiddenDiagnostics, hiddenIn } from './confirm.ts';
import {
  type Decided,
  type HunkRef,
  hunkOf,
  noneOpen,
  nothing,
  showChanged,
  showRefused,
  whyUndecided,
} from './decide.ts';
import { originalSide, Proposal, type ProposalOwner } from './proposal.ts';
import { type Keeping, mayWrite, saveAsNew, saveElsewhere } from './saveAsNew.ts';
import { keeperFor, withSecretsBack } from './secretKeeper.ts';
import { Front } from './shown/front.ts';
import { HunkActions } from './shown/hunkActions.ts';
import { allTabs, closeTabs, columnOf, headStart, showDiff, tabShows, textIs } from './shown/proposalTabs.ts';
import { movedTarget, renamedUri, type Target, whyReadOnly } from './target.ts';
import { writeAll, writeHunks } from './write.ts';

const t = vscode.l10n.t;

/**
 * The only way to change code: every edit is a proposal that the user sees as a diff before a byte is written. A
 * document has at most one proposal. Its text is a virtual document, so nothing is on disk until it is accepted.
 */
export class Proposals extends Disposable implements vscode.TextDocumentContentProvider {
  readonly #changed = this._register(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.#changed.event;
  readonly #open = new Map<string, Proposal>();
  readonly #hunkActions = this._register(new HunkActions((uri) => this.#open.get(uri.toString())));
  readonly #hidden = this._register(vscode.languages.createDiagnosticCollection(proposalScheme));
  readonly #front = this._register(new Front(() => this.#open.values()));
  /** Proposals that are being written or changed, so that a second key press does not act on the next hunk. */
  readonly #deciding = new Set<Proposal>();
  readonly #keeping: Keeping;
  readonly #logger: Pick<Logger, 'debug'>;
  readonly #onAccepted: OnAccepted;

  constructor(keeping: Keeping, onAccepted: OnAccepted, logger: Pick<Logger, 'debug'>) {
    super();
    this.#keeping = keeping;
    this.#onAccepted = onAccepted;
    this.#logger = logger;
    this._register({ dispose: () => this.#open.forEach(({ drawing }) => void drawing.stop()) });
    this._register(vscode.workspace.registerTextDocumentContentProvider(proposalScheme, this));
    this._register(vscode.window.tabGroups.onDidChangeTabs(({ closed }) => this.#onTabs(closed)));
    this._register(vscode.window.tabGroups.onDidChangeTabGroups(() => this.#tellReady()));
    this._register(vscode.workspace.onDidRenameFiles(({ files }) => this.#follow(files)));
    this._register(vscode.workspace.onDidChangeTextDocument(({ document }) => this.#drawOriginal(document)));
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const proposal = this.#open.get(uri.with({ authority: '' }).toString());
    return (uri.authority === originalSide ? proposal?.originalText : proposal?.text) ?? '';
  }

  /**
   * Checks whether a document can be changed, and shows a message if not; asks the user about settings and similar
   * files. Called before anything is sent.
   */
  async canChange(document: vscode.TextDocument): Promise<boolean> {
    const reason = await whyReadOnly(document);
    if (reason === null) return confirmGuarded(document.uri);
    void showError(t('This document cannot be changed: {0}. Nothing was sent.', reason));
    return false;
  }

  /**
   * The code blocks of an answer with their secret marks replaced with the target's own secrets. Called before they are placed.
   */
  async withSecrets(target: Target, codes: readonly string[]): Promise<readonly string[]> {
    const { whole, count } = await withSecretsBack(target, codes);
    if (count > 0) this.#logger.debug(`Secrets put back into a proposal: ${count}.`);
    return whole;
  }

  /** Shows a proposal without code yet; `stop` is called when it is rejected before its answer is complete. */
  async begin(target: Target, stop: () => void, owner?: ProposalOwner): Promise<Proposal> {
    const keeper = await keeperFor(target);
    const proposal = new Proposal(target, { keeper, stop, show: (each) => this.#show(each), owner });
    const file = proposal.targetUri?.toString();
    const old = [...this.#open.values()].find(({ targetUri }) => targetUri?.toString() === file);
    if (old !== undefined) await this.end(old);
    this.#open.set(proposal.uri.toString(), proposal);
    await showDiff(proposal);
    return proposal;
  }

  /** Shows a change of a change set. Closing its diff decides nothing. */
  async open(target: Target, owner: ProposalOwner): Promise<void> {
    const open = this.#ownedBy(owner.draft);
    if (open === undefined) await this.#redraw(await this.begin(target, () => undefined, owner));
    else await showDiff(open, columnOf(open.uri));
  }

  /** Draws the diff of a change of a change set again, if it is open; closes it if nothing is left to decide. */
  async refresh(draft: Draft, isDecided: boolean): Promise<void> {
    const open = this.#ownedBy(draft);
    if (open === undefined || this.#deciding.has(open)) return;
    await (isDecided ? this.end(open) : this.#redraw(open));
  }

  #ownedBy(draft: Draft): Proposal | undefined {
    return [...this.#open.values()].find(({ owner }) => owner?.draft === draft);
  }

  /** Shows the code received so far for each place; `codes` is called at the next drawing. */
  update(proposal: Proposal, codes: () => readonly string[]): void {
    if (this.#isOpen(proposal)) proposal.drawing.soon(() => proposal.draft.update(codes()));
  }

  /**
   * Completes the proposal with its whole text, so that the user can decide. Returns false if there is nothing to
   * decide.
   */
  async complete(proposal: Proposal, lines: readonly string[], source: CodeSource): Promise<boolean> {
    if (!this.#isOpen(proposal)) return false;
    proposal.source = source;
    const { draft } = proposal;
    draft.complete(lines);
    if (draft.isUnchanged) {
      await this.end(proposal);
      showHint(t('The answer changes nothing in {0}.', proposal.name));
      return false;
    }
    await this.#redraw(proposal);
    return true;
  }

  /** Writes the remaining hunks to the target and formats them, as one undo step. */
  accept(uri?: vscode.Uri): Promise<Decided> {
    return this.#decide(uri, (proposal) => this.#accept(proposal, ({ draft }) => draft.hunks));
  }

  /** Writes one hunk: the named one, or else the one at the cursor. */
  acceptHunk(uri?: vscode.Uri, ref: HunkRef = {}): Promise<Decided> {
    return this.#decide(uri, (proposal) => this.#accept(proposal, () => hunkOf(proposal, ref)));
  }

  /** Removes one hunk from the proposal. */
  rejectHunk(uri?: vscode.Uri, ref: HunkRef = {}): Promise<Decided> {
    return this.#decide(uri, (proposal) => this.#rejectHunk(proposal, ref));
  }

  /** Rejects a proposal, whether it is visible or not; the document does not change. */
  async reject(uri?: vscode.Uri): Promise<Decided> {
    const proposal = this.#find(uri);
    if (proposal === undefined) {
      showHint(noneOpen(uri));
      return nothing;
    }
    const why = proposal.owner?.whyNot() ?? null;
    if (why !== null) {
      showHint(why);
      return nothing;
    }
    const wasInFront = this.#front.proposal === proposal;
    proposal.owner?.reject(proposal.draft.hunks);
    await this.#stop(proposal);
    if (wasInFront) await this.#showNext(proposal);
    return { ok: true, left: 0 };
  }

  /**
   * Brings the next proposal from the same answer to the front, because VS Code shows the file that was written, or
   * another tab.
   */
  async #showNext(proposal: Proposal): Promise<void> {
    let { next } = proposal;
    while (next !== undefined && !this.#isOpen(next)) next = next.next;
    if (next === undefined || this.#front.proposal === next) return;
    this.#front.follows(next);
    await showDiff(next, columnOf(next.uri));
  }

  /** Ends a proposal that the user has not rejected. */
  async end(proposal: Proposal): Promise<void> {
    if (!this.#isOpen(proposal)) return;
    this.#front.ends(proposal);
    await this.#stop(proposal);
  }

  /** Acts on the named proposal, or else on the one in front; shows a message if there is none. */
  async #decide(uri: vscode.Uri | undefined, act: (proposal: Proposal) => Promise<Decided>): Promise<Decided> {
    const proposal = this.#find(uri);
    const why =
      whyUndecided(proposal, uri === undefined ? this.#front : undefined) ?? proposal?.owner?.whyNot() ?? null;
    if (why !== null) showHint(why);
    if (proposal === undefined && uri?.scheme === proposalScheme) return { ok: false, reason: 'ended' };
    if (proposal === undefined || why !== null || this.#deciding.has(proposal)) return nothing;
    this.#deciding.add(proposal);
    try {
      return await act(proposal);
    } finally {
      this.#deciding.delete(proposal);
    }
  }

  /**
   * Writes hunks of a proposal. `choose` is called after the check of the document, which may restore an undone hunk.
   */
  async #accept(proposal: Proposal, choose: (proposal: Proposal) => readonly Hunk[]): Promise<Decided> {
    const { draft } = proposal;
    const before = await proposal.check();
    if (before !== 'fits') return this.#misfit(proposal, before);
    const chosen = choose(proposal);
    if (chosen.length === 0) return nothing;
    // A new file is written as a whole.
    const hunks = proposal.target.kind === 'document' ? chosen : draft.hunks;
    if (!(await mayWrite(proposal, hunks, this.#keeping))) return { ok: false, reason: 'cancelled' };
    // The document may have changed while the user was asked.
    const now = await proposal.check();
    if (!this.#isOpen(proposal)) return { ok: false, reason: 'ended' };
    if (now !== 'fits') return this.#misfit(proposal, now);
    if (!hunks.every((hunk) => draft.hunks.includes(hunk))) return this.#misfit(proposal, 'changed');
    if (proposal.owner !== undefined) return this.#acceptOwned(proposal, proposal.owner, hunks);
    const isLast = hunks.length === draft.hunks.length;
    // Closing the diff of a written proposal must not reject it.
    if (isLast) this.#forget(proposal);
    const { originalText } = proposal;
    const written = await (isLast ? writeAll(proposal) : writeHunks(proposal, hunks));
    if (written === null) {
      if (isLast) this.#open.set(proposal.uri.toString(), proposal);
      return showRefused(proposal, () => this.#saveElsewhere(proposal));
    }
    const recorded = this.#accepted(proposal, originalText, written);
    if (isLast) {
      this.#front.ends(proposal);
      await closeTabs(proposal.uri);
      await recorded;
      await this.#showNext(proposal);
      return { ok: true, left: 0 };
    }
    for (const hunk of hunks) draft.accept(hunk);
    await this.#redraw(proposal);
    await recorded;
    return { ok: true, left: draft.hunks.length };
  }

  /** Lets the change set of a proposal write hunks. */
  async #acceptOwned(proposal: Proposal, owner: ProposalOwner, hunks: readonly Hunk[]): Promise<Decided> {
    if (!(await owner.write(hunks))) return { ok: false, reason: 'refused' };
    const { length: left } = proposal.draft.hunks;
    await (left === 0 ? this.end(proposal) : this.#redraw(proposal));
    return { ok: true, left };
  }

  async #rejectHunk(proposal: Proposal, ref: HunkRef): Promise<Decided> {
    const { draft, uri } = proposal;
    if ((await proposal.check()) === 'changed') return this.#misfit(proposal, 'changed');
    const [hunk] = hunkOf(proposal, ref);
    if (hunk === undefined) return nothing;
    if (draft.hunks.length === 1) return this.reject(uri);
    if (proposal.owner === undefined) draft.reject(hunk);
    else proposal.owner.reject([hunk]);
    await this.#redraw(proposal);
    return { ok: true, left: draft.hunks.length };
  }

  async #misfit(proposal: Proposal, how: 'changed' | 'gone'): Promise<Decided> {
    if (how === 'changed') return showChanged(() => this.#saveElsewhere(proposal));
    if (!(await saveAsNew(proposal, this.#keeping))) return { ok: false, reason: 'gone' };
    await this.#saved(proposal);
    return { ok: true, left: 0 };
  }

  /** Saves a proposal in another place, unless it has ended since this was offered. */
  async #saveElsewhere(proposal: Proposal): Promise<void> {
    if (this.#isOpen(proposal) && (await saveElsewhere(proposal, this.#keeping))) await this.#saved(proposal);
  }

  async #saved(proposal: Proposal): Promise<void> {
    await this.#accepted(proposal, proposal.draft.original.join('\n'), proposal.text);
    proposal.owner?.reject(proposal.draft.hunks);
    await this.end(proposal);
  }

  #accepted({ source, languageId }: Proposal, before: string, after: string): Promise<void> {
    stepDone('changed');
    return this.#onAccepted({ source, languageId, before, after });
  }

  #find(uri: vscode.Uri | undefined): Proposal | undefined {
    return uri === undefined ? this.#front.proposal : this.#open.get(uri.toString());
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

  /** Draws the diff and moves the cursor to the next hunk to decide. */
  async #redraw(proposal: Proposal): Promise<void> {
    const drawn = proposal.drawing.now();
    // VS Code has the text by then, so the hunks are computed while VS Code applies it.
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
    this.#front.look();
    const isReady = this.#front.proposal?.draft.isComplete === true;
    void vscode.commands.executeCommand('setContext', 'svc.proposalReady', isReady);
  }

  #onTabs(closed: readonly vscode.Tab[]): void {
    const remaining = allTabs();
    for (const proposal of [...this.#open.values()]) {
      const wasClosed = closed.some((tab) => tabShows(tab, proposal.uri));
      if (!wasClosed || remaining.some((tab) => tabShows(tab, proposal.uri))) continue;
      // Closing the diff rejects a proposal. A change set keeps its changes.
      void (proposal.owner === undefined ? this.reject(proposal.uri) : this.end(proposal));
    }
    this.#tellReady();
  }

  /** Updates proposals whose files, or folders above them, were renamed. */
  async #follow(renamed: vscode.FileRenameEvent['files']): Promise<void> {
    for (const proposal of [...this.#open.values()]) {
      const to = proposal.targetUri && renamedUri(proposal.targetUri, renamed);
      if (to) await this.#moveTo(proposal, to);
    }
  }

  async #moveTo(proposal: Proposal, to: vscode.Uri): Promise<void> {
    const { uri, name } = proposal;
    if (proposal.owner !== undefined) return this.end(proposal);
    const target = await movedTarget(proposal.target, to);
    if (!this.#isOpen(proposal)) return;
    if (target === null) {
      showHint(t('The changes to {0} are no longer open, because the file was renamed or moved.', name), {
        isWarning: true,
      });
      return this.end(proposal);
    }
    const viewColumn = columnOf(uri);
    this.#open.delete(uri.toString());
    this.#hidden.delete(uri);
    proposal.moveTo(target);
    this.#open.set(proposal.uri.toString(), proposal);
    await showDiff(proposal, viewColumn);
    await closeTabs(uri);
    if (proposal.draft.isComplete) await this.#redraw(proposal);
  }

  /** Draws the original side of the diff. After an undo, the restored hunk has its actions again. */
  #drawOriginal(document: vscode.TextDocument): void {
    for (const proposal of this.#open.values()) {
      if (proposal.targetUri?.toString() !== document.uri.toString()) continue;
      this.#changed.fire(proposal.originalUri);
      if (!this.#deciding.has(proposal) && proposal.draft.takeUndo(document.getText()))
        this.#hunkActions.refresh(proposal);
    }
  }

  async #stop(proposal: Proposal): Promise<void> {
    proposal.stop();
    this.#forget(proposal);
    await closeTabs(proposal.uri);
  }
}
