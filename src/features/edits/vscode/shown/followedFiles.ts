import * as vscode from 'vscode';
import { showHint } from '../../../../platform/messages/hint.ts';
import { Disposable } from '../../../../util/disposable.ts';
import type { Proposal } from '../proposal.ts';
import { movedTarget, renamedUri } from '../target.ts';
import type { OpenProposals } from './openProposals.ts';
import { closeTabs, columnOf } from './proposalTabs.ts';

const t = vscode.l10n.t;

/** Keeps proposals at their files: a file may be renamed, or its text may change. */
export class FollowedFiles extends Disposable {
  readonly #open: OpenProposals;

  /** `isDeciding` is true while a proposal is written: then its text does not come from the user. */
  constructor(open: OpenProposals, isDeciding: (proposal: Proposal) => boolean) {
    super();
    this.#open = open;
    this._register(vscode.workspace.onDidRenameFiles(({ files }) => this.#follow(files)));
    this._register(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        for (const proposal of open.all) {
          if (proposal.targetUri?.toString() !== document.uri.toString()) continue;
          open.drawOriginal(proposal);
          // After an undo, the restored hunk has its actions again.
          if (!isDeciding(proposal) && proposal.draft.takeUndo(document.getText())) open.drawActions(proposal);
        }
      }),
    );
  }

  /** Updates proposals whose files, or folders above them, were renamed. */
  async #follow(renamed: vscode.FileRenameEvent['files']): Promise<void> {
    for (const proposal of this.#open.all) {
      const to = proposal.targetUri && renamedUri(proposal.targetUri, renamed);
      if (to) await this.#moveTo(proposal, to);
    }
  }

  async #moveTo(proposal: Proposal, to: vscode.Uri): Promise<void> {
    const { uri, name } = proposal;
    if (!proposal.isSingle) return this.#open.end(proposal);
    const target = await movedTarget(proposal.target, to);
    if (!this.#open.has(proposal)) return;
    if (target === null) {
      showHint(t('The changes to {0} are no longer open, because the file was renamed or moved.', name), {
        isWarning: true,
      });
      return this.#open.end(proposal);
    }
    this.#open.remove(proposal);
    proposal.moveTo(target);
    await this.#open.add(proposal, columnOf(uri));
    await closeTabs(uri);
    if (proposal.draft.isComplete) await this.#open.redraw(proposal);
  }
}
