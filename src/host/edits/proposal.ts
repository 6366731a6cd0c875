import * as vscode from 'vscode';
import type { SecretKeeper } from '../../gate/secrets/keeper.ts';
import { Draft } from './draft.ts';
import { Drawing } from './drawing.ts';
import type { Hunk } from './hunks.ts';
import { proposalScheme } from './proposalScheme.ts';
import type { Target } from './target.ts';

/** An edit before it is accepted: where it belongs, what it would make of it, and what is still to be decided. */
export class Proposal {
  readonly target: Target;
  /** The virtual document that shows the proposed text. */
  readonly uri: vscode.Uri;
  /** What stands beside it in the diff. */
  readonly originalUri: vscode.Uri;
  readonly draft: Draft;
  /** Called when it is rejected while its answer still comes. */
  readonly stop: () => void;
  readonly drawing: Drawing;

  /** `show` resolves when VS Code shows the text of a proposal as it is now. */
  constructor(
    target: Target,
    keeper: SecretKeeper,
    number: number,
    stop: () => void,
    show: (proposal: Proposal) => Promise<void>,
  ) {
    this.target = target;
    this.stop = stop;
    this.drawing = new Drawing(() => show(this));
    const path = target.kind === 'untitled' ? `/${vscode.l10n.t('new file')}` : targetUri(target).path;
    this.uri = vscode.Uri.from({ scheme: proposalScheme, path, query: String(number) });
    this.originalUri = target.kind === 'document' ? target.document.uri : this.uri.with({ authority: emptySide });
    this.draft =
      target.kind === 'document'
        ? new Draft(target.text, target.places, keeper)
        : new Draft('', [{ start: 0, end: 1, indent: '' }], keeper);
  }

  get name(): string {
    return this.uri.path.slice(this.uri.path.lastIndexOf('/') + 1);
  }

  get languageId(): string {
    return this.target.kind === 'document' ? this.target.document.languageId : this.target.languageId;
  }

  get lineEnd(): string {
    const { target } = this;
    return target.kind === 'document' && target.document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  }

  /** The whole text as it would be. */
  get text(): string {
    return this.draft.proposed.join(this.lineEnd);
  }

  /** The document is still the one that the proposal was made for. */
  fits(): boolean {
    const { target, draft } = this;
    return target.kind !== 'document' || (!target.document.isClosed && draft.fits(target.document.getText()));
  }

  /** Lines of the proposed text that a hunk brings. */
  linesOf({ proposedStart, proposedEnd }: Hunk): vscode.Range {
    return new vscode.Range(proposedStart, 0, Math.max(proposedStart, proposedEnd - 1), 0);
  }
}

/** The authority of the virtual document that stands for a file that is not there yet. */
export const emptySide = 'empty';

function targetUri(target: Exclude<Target, { readonly kind: 'untitled' }>): vscode.Uri {
  return target.kind === 'document' ? target.document.uri : target.uri;
}
