import type * as vscode from 'vscode';
import { showHint } from '../../../platform/messages/hint.ts';
import { proposalScheme } from '../../../platform/sources/ownDocuments.ts';
import type { ChangeDecision } from '../../../protocol/changesView.ts';
import type { Hunk } from '../common/hunks.ts';
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
import type { Proposal } from './proposal.ts';
import { mayWrite, type SavingParts, saveAsNew, saveElsewhere } from './saveAsNew.ts';
import type { OpenProposals } from './shown/openProposals.ts';
import { columnOf, showDiff } from './shown/proposalTabs.ts';

/** The decisions of the user. A decision names a proposal, or is about the proposal in front. */
export class Decisions {
  readonly #open: OpenProposals;
  readonly #saving: SavingParts;
  /** Proposals that are being written or changed, so that a second key press does not act on the next hunk. */
  readonly #deciding = new Set<Proposal>();

  constructor(open: OpenProposals, saving: SavingParts) {
    this.#open = open;
    this.#saving = saving;
  }

  isDeciding(proposal: Proposal): boolean {
    return this.#deciding.has(proposal);
  }

  /** Writes the remaining hunks, as one undo step. */
  accept(uri?: vscode.Uri): Promise<Decided> {
    return this.#decide(uri, 'accept', (proposal) => this.#accept(proposal, ({ draft }) => draft.hunks));
  }

  /** Writes one hunk: the named one, or else the one at the cursor. */
  acceptHunk(uri?: vscode.Uri, ref: HunkRef = {}): Promise<Decided> {
    return this.#decide(uri, 'accept', (proposal) => this.#accept(proposal, () => hunkOf(proposal, ref)));
  }

  /** Removes one hunk from the proposal. */
  rejectHunk(uri?: vscode.Uri, ref: HunkRef = {}): Promise<Decided> {
    return this.#decide(uri, 'reject', (proposal) => this.#rejectHunk(proposal, ref));
  }

  /** Rejects a proposal, whether it is visible or not; the document does not change. */
  async reject(uri?: vscode.Uri): Promise<Decided> {
    const proposal = this.#find(uri);
    const why = proposal === undefined ? noneOpen(uri) : this.#whyNot(proposal, 'reject');
    if (why !== null) showHint(why);
    if (proposal === undefined || why !== null) return nothing;
    await this.#rejectAll(proposal);
    return { ok: true, left: 0 };
  }

  /** Closing the diff rejects a single proposal. A change set keeps its changes. */
  async closed(proposal: Proposal): Promise<void> {
    await (proposal.isSingle && !this.#deciding.has(proposal) ? this.#rejectAll(proposal) : this.#open.end(proposal));
  }

  async #rejectAll(proposal: Proposal): Promise<void> {
    const wasInFront = this.#open.front.proposal === proposal;
    const { hunks } = proposal.draft;
    // Nothing was proposed before the answer is complete.
    const rejected = hunks.length === 0 ? undefined : this.#saving.acceptance.rejectHunks(proposal.owned, hunks);
    await this.#open.stop(proposal);
    await rejected;
    if (wasInFront) await this.#showNext(proposal);
  }

  /**
   * Brings the next proposal from the same answer to the front, because VS Code shows the file that was written, or
   * another tab.
   */
  async #showNext(proposal: Proposal): Promise<void> {
    const { front } = this.#open;
    let { next } = proposal;
    while (next !== undefined && !this.#open.has(next)) next = next.next;
    if (next === undefined || front.proposal === next) return;
    front.follows(next);
    await showDiff(next, columnOf(next.uri));
  }

  /** Acts on the named proposal, or else on the one in front; shows a message if there is none. */
  async #decide(
    uri: vscode.Uri | undefined,
    decision: ChangeDecision,
    act: (proposal: Proposal) => Promise<Decided>,
  ): Promise<Decided> {
    const proposal = this.#find(uri);
    if (proposal !== undefined && this.#deciding.has(proposal)) return nothing;
    const front = uri === undefined ? this.#open.front : undefined;
    const why = whyUndecided(proposal, front) ?? (proposal === undefined ? null : this.#whyNot(proposal, decision));
    if (why !== null) showHint(why);
    if (proposal === undefined && uri?.scheme === proposalScheme) return { ok: false, reason: 'ended' };
    if (proposal === undefined || why !== null) return nothing;
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
    const { draft, owned } = proposal;
    const before = await proposal.check();
    if (before !== 'fits') return this.#misfit(proposal, before);
    const chosen = choose(proposal);
    if (chosen.length === 0) return nothing;
    // A new file is written as a whole.
    const hunks = proposal.target.kind === 'document' ? chosen : draft.hunks;
    if (!(await mayWrite(proposal, hunks, this.#saving))) return { ok: false, reason: 'cancelled' };
    // The document may have changed while the user was asked.
    const now = await proposal.check();
    if (!this.#open.has(proposal)) return { ok: false, reason: 'ended' };
    if (now !== 'fits') return this.#misfit(proposal, now);
    if (!hunks.every((hunk) => draft.hunks.includes(hunk))) return this.#misfit(proposal, 'changed');
    const failure = await this.#saving.acceptance.acceptHunks(owned, hunks);
    if (failure !== '') return showRefused(failure, () => this.#saveElsewhere(proposal));
    const { length: left } = draft.hunks;
    if (left > 0) await this.#open.redraw(proposal);
    else {
      await this.#open.end(proposal);
      await this.#showNext(proposal);
    }
    return { ok: true, left };
  }

  async #rejectHunk(proposal: Proposal, ref: HunkRef): Promise<Decided> {
    const { draft, uri } = proposal;
    if ((await proposal.check()) === 'changed') return this.#misfit(proposal, 'changed');
    const [hunk] = hunkOf(proposal, ref);
    if (hunk === undefined) return nothing;
    if (draft.hunks.length === 1) return this.reject(uri);
    await this.#saving.acceptance.rejectHunks(proposal.owned, [hunk]);
    await this.#open.redraw(proposal);
    return { ok: true, left: draft.hunks.length };
  }

  async #misfit(proposal: Proposal, how: 'changed' | 'gone'): Promise<Decided> {
    if (how === 'changed') return showChanged(() => this.#saveElsewhere(proposal));
    if (!(await saveAsNew(proposal, this.#saving))) return { ok: false, reason: 'gone' };
    await this.#saved(proposal);
    return { ok: true, left: 0 };
  }

  /** Saves a proposal in another place, unless it has ended since this was offered. */
  async #saveElsewhere(proposal: Proposal): Promise<void> {
    if (this.#open.has(proposal) && (await saveElsewhere(proposal, this.#saving))) await this.#saved(proposal);
  }

  /** The change of the file itself was not made. */
  async #saved(proposal: Proposal): Promise<void> {
    await this.#saving.acceptance.rejectHunks(proposal.owned, proposal.draft.hunks);
    await this.#open.end(proposal);
  }

  #whyNot({ owned }: Proposal, decision: ChangeDecision): string | null {
    return this.#saving.acceptance.whyNot(owned.changes, decision);
  }

  #find(uri: vscode.Uri | undefined): Proposal | undefined {
    return uri === undefined ? this.#open.front.proposal : this.#open.at(uri);
  }
}
