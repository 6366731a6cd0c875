import * as vscode from 'vscode';
import { showHint } from '../../../platform/messages/hint.ts';
import { showError } from '../../../platform/messages/show.ts';
import { Disposable } from '../../../util/disposable.ts';
import type { Logger } from '../../../util/logger.ts';
import type { Draft } from '../common/draft.ts';
import type { CodeSource } from './acceptedCode.ts';
import type { OwnedChange } from './changes/writableChanges.ts';
import { confirmGuarded } from './confirm.ts';
import { Decisions } from './decisions.ts';
import { Proposal } from './proposal.ts';
import type { SavingParts } from './saveAsNew.ts';
import { keeperFor, withSecretsBack } from './secretKeeper.ts';
import { FollowedFiles } from './shown/followedFiles.ts';
import { OpenProposals } from './shown/openProposals.ts';
import { columnOf, showDiff } from './shown/proposalTabs.ts';
import { type Target, whyReadOnly } from './target.ts';

const t = vscode.l10n.t;

interface ProposalsParts extends SavingParts {
  readonly logger: Pick<Logger, 'debug'>;
}

/**
 * The only way to change code: every edit is a proposal that the user sees as a diff before a byte is written. A
 * document has at most one proposal.
 */
export class Proposals extends Disposable {
  readonly decisions: Decisions;
  readonly #parts: ProposalsParts;
  readonly #open = this._register(new OpenProposals());

  constructor(parts: ProposalsParts) {
    super();
    this.#parts = parts;
    this.decisions = new Decisions(this.#open, parts);
    this._register(this.#open.onDidClose((proposal) => this.decisions.closed(proposal)));
    this._register(new FollowedFiles(this.#open, (proposal) => this.decisions.isDeciding(proposal)));
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
    if (count > 0) this.#parts.logger.debug(`Secrets put back into a proposal: ${count}.`);
    return whole;
  }

  /** Shows a proposal without code yet; `stop` is called when it is rejected before its answer is complete. */
  async begin(target: Target, stop: () => void, owned?: OwnedChange): Promise<Proposal> {
    const keeper = await keeperFor(target);
    const show = (each: Proposal): Promise<void> => this.#open.drawText(each);
    const proposal = new Proposal(target, { keeper, stop, show, owned });
    const file = proposal.targetUri?.toString();
    const old = this.#open.all.find(({ targetUri }) => targetUri?.toString() === file);
    if (old !== undefined) await this.#open.end(old);
    await this.#open.add(proposal);
    return proposal;
  }

  /** Shows a change of a change set. Closing its diff decides nothing. */
  async open(target: Target, owned: OwnedChange): Promise<void> {
    const open = this.#showing(owned.change.draft);
    if (open === undefined) await this.#open.redraw(await this.begin(target, () => undefined, owned));
    else await showDiff(open, columnOf(open.uri));
  }

  /** Draws the diff of a change of a change set again, if it is open; closes it if nothing is left to decide. */
  async refresh(draft: Draft, isDecided: boolean): Promise<void> {
    const open = this.#showing(draft);
    if (open === undefined || this.decisions.isDeciding(open)) return;
    await (isDecided ? this.end(open) : this.#open.redraw(open));
  }

  #showing(draft: Draft): Proposal | undefined {
    return this.#open.all.find((proposal) => proposal.draft === draft);
  }

  /** Shows the code received so far for each place; `codes` is called at the next drawing. */
  update(proposal: Proposal, codes: () => readonly string[]): void {
    if (this.#open.has(proposal)) proposal.drawing.soon(() => proposal.draft.update(codes()));
  }

  /**
   * Completes the proposal with its whole text, so that the user can decide. Returns false if there is nothing to
   * decide.
   */
  async complete(proposal: Proposal, lines: readonly string[], source: CodeSource): Promise<boolean> {
    if (!this.#open.has(proposal)) return false;
    proposal.source = source;
    const { draft } = proposal;
    draft.complete(lines);
    if (draft.isUnchanged) {
      await this.end(proposal);
      showHint(t('The answer changes nothing in {0}.', proposal.name));
      return false;
    }
    await this.#open.redraw(proposal);
    return true;
  }

  /** Ends a proposal that the user has not rejected. */
  end(proposal: Proposal): Promise<void> {
    return this.#open.end(proposal);
  }
}
