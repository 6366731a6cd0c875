import * as vscode from 'vscode';
import { Disposable } from '../../../../util/disposable.ts';
import type { Proposal } from '../proposal.ts';
import { tabShows } from './proposalTabs.ts';

/**
 * Tracks the proposal in front, the target of keys and commands that name no proposal. A proposal that came to the
 * front because the previous one ended is not decided by the first key press, which may have been meant for the
 * previous one.
 */
export class Front extends Disposable {
  readonly #open: () => Iterable<Proposal>;
  /** A proposal that has ended, and may still be in front. */
  #ended: Proposal | undefined;
  #unasked: Proposal | undefined;
  /** A proposal that will be in front. */
  #coming: Proposal | undefined;

  constructor(open: () => Iterable<Proposal>) {
    super();
    this.#open = open;
    this._register(
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind }) => {
        // Without a kind, it was not the user who moved the cursor.
        const shown = textEditor.document.uri.with({ authority: '' }).toString();
        if (kind !== undefined && this.#unasked?.uri.toString() === shown) this.#unasked = undefined;
      }),
    );
  }

  get proposal(): Proposal | undefined {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    return [...this.#open()].find(({ uri }) => tab !== undefined && tabShows(tab, uri));
  }

  /**
   * Whether this proposal came to the front by itself. True only once: then the user is told, and the next key press is accepted.
   */
  takeUnasked(proposal: Proposal): boolean {
    const isUnasked = this.#unasked === proposal;
    if (isUnasked) this.#unasked = undefined;
    return isUnasked;
  }

  /** Called when a proposal ends without a decision of the user, before its tab is closed. */
  ends(proposal: Proposal): void {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    if (tab !== undefined && tabShows(tab, proposal.uri)) this.#ended = proposal;
  }

  /**
   * Called when a proposal is brought to the front after the user has decided on another one, before its tab is shown.
   */
  follows(proposal: Proposal): void {
    this.#coming = proposal;
  }

  /** Called when tabs open or close, or another tab comes to the front. */
  look(): void {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    if (this.#coming !== undefined && this.proposal === this.#coming) {
      this.#unasked = this.#coming;
      this.#coming = undefined;
      this.#ended = undefined;
    } else if (this.#ended !== undefined) {
      if (tab !== undefined && tabShows(tab, this.#ended.uri)) return;
      this.#ended = undefined;
      this.#unasked = this.proposal;
    } else if (this.#unasked !== this.proposal) {
      this.#unasked = undefined;
    }
  }
}
