import * as vscode from 'vscode';
import { Disposable } from '../../util/disposable.ts';
import type { Proposal } from './proposal.ts';
import { tabShows } from './proposalTabs.ts';

/**
 * Which proposal is in front: what a key or a command without a name is for. One that came there by itself, because the
 * proposal before it ended, is not taken for that one: somebody may press the key that was meant for it.
 */
export class Front extends Disposable {
  readonly #open: () => Iterable<Proposal>;
  /** Ended, and perhaps still in front. */
  #ended: Proposal | undefined;
  #unasked: Proposal | undefined;

  constructor(open: () => Iterable<Proposal>) {
    super();
    this.#open = open;
    this._register(
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind }) => {
        // Without a kind it was not the user who moved the cursor.
        const shown = textEditor.document.uri.with({ authority: '' }).toString();
        if (kind !== undefined && this.#unasked?.uri.toString() === shown) this.#unasked = undefined;
      }),
    );
  }

  get proposal(): Proposal | undefined {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    return [...this.#open()].find(({ uri }) => tab !== undefined && tabShows(tab, uri));
  }

  /** Whether this one came to the front by itself. Asked once: the user is told then, and means it the next time. */
  takeUnasked(proposal: Proposal): boolean {
    const isUnasked = this.#unasked === proposal;
    if (isUnasked) this.#unasked = undefined;
    return isUnasked;
  }

  /** A proposal ends, and not because the user said so: before its tab is closed. */
  ends(proposal: Proposal): void {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    if (tab !== undefined && tabShows(tab, proposal.uri)) this.#ended = proposal;
  }

  /** Other tabs are open, or another one is in front. */
  look(): void {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    if (this.#ended !== undefined) {
      if (tab !== undefined && tabShows(tab, this.#ended.uri)) return;
      this.#ended = undefined;
      this.#unasked = this.proposal;
    } else if (this.#unasked !== this.proposal) {
      this.#unasked = undefined;
    }
  }
}
