import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { SecretKeeper } from '../../gate/secrets/marks/keeper.ts';
import { Draft } from './draft.ts';
import { Drawing } from './drawing.ts';
import type { Hunk } from './hunks.ts';
import { proposalScheme } from './proposalScheme.ts';
import { shownLanguage } from './shownLanguage.ts';
import { liveDocument, type Target } from './target.ts';

/** An edit before it is accepted: where it belongs, what it would make of it, and what is still to be decided. */
export class Proposal {
  readonly draft: Draft;
  /** Called when it is rejected while its answer still comes. */
  readonly stop: () => void;
  readonly drawing: Drawing;
  #target: Target;
  #uri: vscode.Uri;

  /** `show` resolves when VS Code shows the text of a proposal as it is now. */
  constructor(target: Target, keeper: SecretKeeper, stop: () => void, show: (proposal: Proposal) => Promise<void>) {
    this.#target = target;
    this.#uri = this.#newUri();
    this.stop = stop;
    this.drawing = new Drawing(() => show(this));
    this.draft =
      target.kind === 'document'
        ? new Draft(target.text, target.places, keeper)
        : new Draft('', [{ start: 0, end: 1, indent: '' }], keeper);
  }

  get target(): Target {
    return this.#target;
  }

  /** The virtual document that shows the proposed text. It names this proposal, and never another one. */
  get uri(): vscode.Uri {
    return this.#uri;
  }

  /** The virtual document beside it in the diff: the text as it is now. The file itself would go from there when it is renamed. */
  get originalUri(): vscode.Uri {
    return this.#uri.with({ authority: originalSide });
  }

  /** Of the file or document that it is for; undefined where it becomes a new one. */
  get targetUri(): vscode.Uri | undefined {
    const { target } = this;
    if (target.kind === 'untitled') return undefined;
    return target.kind === 'document' ? target.document.uri : target.uri;
  }

  get name(): string {
    const path = this.targetUri?.path ?? vscode.l10n.t('new file');
    return path.slice(path.lastIndexOf('/') + 1);
  }

  get languageId(): string {
    return this.target.kind === 'document' ? this.target.document.languageId : this.target.languageId;
  }

  /** What both sides of the diff are shown in. */
  get shownLanguage(): string {
    return shownLanguage(this.languageId, validatedAsJson());
  }

  get lineEnd(): string {
    const { target } = this;
    return target.kind === 'document' && target.document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  }

  /** The whole text as it would be. */
  get text(): string {
    return this.draft.proposed.join(this.lineEnd);
  }

  /** The text as it is now, as far as it is still there. */
  get originalText(): string {
    const { target, draft } = this;
    if (target.kind !== 'document') return '';
    return target.document.isClosed ? draft.original.join(this.lineEnd) : target.document.getText();
  }

  /** Whether the document is still there, and the one that the proposal was made for. */
  async check(): Promise<'fits' | 'changed' | 'gone'> {
    if (this.#target.kind !== 'document') return 'fits';
    const document = await liveDocument(this.#target.document);
    if (document === null) return 'gone';
    this.#target = { ...this.#target, document };
    return this.draft.fits(document.getText()) ? 'fits' : 'changed';
  }

  /** Its file has another name now: from here on it is for that one, and has a URI of its own for it. */
  moveTo(target: Target): void {
    this.#target = target;
    this.#uri = this.#newUri();
  }

  #newUri(): vscode.Uri {
    // By its own ending VS Code would take it for a document of a language that it validates.
    const name = `${this.targetUri?.path ?? this.name}.${proposalScheme}`;
    // That of a document without a file has no slash before it.
    const path = name.startsWith('/') ? name : `/${name}`;
    return vscode.Uri.from({ scheme: proposalScheme, path, query: randomBytes(8).toString('hex') });
  }

  /** Lines of the proposed text that a hunk brings. */
  linesOf({ proposedStart, proposedEnd }: Hunk): vscode.Range {
    return new vscode.Range(proposedStart, 0, Math.max(proposedStart, proposedEnd - 1), 0);
  }
}

/** The authority of the virtual documents that show what a proposal would change. */
export const originalSide = 'original';

/** The languages that extensions have VS Code validate as JSON. */
function validatedAsJson(): ReadonlySet<string> {
  const named = vscode.extensions.all.flatMap(({ packageJSON }): readonly unknown[] => {
    const participants: unknown = packageJSON?.contributes?.jsonLanguageParticipants;
    return Array.isArray(participants) ? participants.map((each) => each?.languageId) : [];
  });
  return new Set(named.filter((languageId) => typeof languageId === 'string'));
}
