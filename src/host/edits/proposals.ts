import * as vscode from 'vscode';
import { Disposable } from '../../util/disposable.ts';
import { type Anchor, proposedText, replacement } from './proposal.ts';

const t = vscode.l10n.t;
const scheme = 'svc-proposal';

interface Open {
  readonly anchor: Anchor | null;
  readonly uri: vscode.Uri;
  readonly original: vscode.Uri;
  readonly languageId: string;
  readonly stop: () => void;
  code: string;
  /** The answer is complete: it can be accepted. */
  isComplete: boolean;
}

/**
 * The one proposal at a time: generated code that a person sees as a diff before a byte is written. Its text is a
 * virtual document, so nothing of it is on disk until it is accepted.
 */
export class Proposals extends Disposable implements vscode.TextDocumentContentProvider {
  readonly #changed = this._register(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.#changed.event;
  #open: Open | null = null;
  #count = 0;

  constructor() {
    super();
    this._register(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
    this._register(
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        const uri = this.#open?.uri.toString();
        // Closing the diff is saying no.
        if (closed.some((tab) => tabShows(tab, uri))) void this.reject();
      }),
    );
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const open = this.#open;
    if (open === null || uri.query !== open.uri.query || uri.authority === 'empty') return '';
    return open.anchor === null ? open.code : proposedText(open.anchor, open.code);
  }

  /** Shows an empty proposal; `stop` is called when it is rejected while its answer still comes. */
  async begin(anchor: Anchor | null, languageId: string, stop: () => void): Promise<vscode.Uri> {
    await this.reject();
    this.#count += 1;
    const path = anchor?.document.uri.path ?? `/${t('new file')}`;
    const uri = vscode.Uri.from({ scheme, path, query: String(this.#count) });
    const original = anchor?.document.uri ?? uri.with({ authority: 'empty' });
    this.#open = { anchor, uri, original, languageId, stop, code: '', isComplete: false };
    const name = path.slice(path.lastIndexOf('/') + 1);
    const shown = await vscode.workspace.openTextDocument(uri);
    await vscode.languages.setTextDocumentLanguage(shown, languageId);
    await vscode.commands.executeCommand('vscode.diff', original, uri, t('Proposal for {0}', name), { preview: true });
    return uri;
  }

  /** Shows the code as far as it has come. */
  update(uri: vscode.Uri, code: string): void {
    if (this.#open?.uri !== uri || this.#open.code === code) return;
    this.#open.code = code;
    this.#changed.fire(uri);
  }

  /** The answer is complete: the person can accept it now. */
  async complete(uri: vscode.Uri): Promise<void> {
    if (this.#open?.uri !== uri) return;
    this.#open.isComplete = true;
    await vscode.commands.executeCommand('setContext', 'svc.proposalReady', true);
  }

  /** Writes the proposal where it belongs, undone by one undo. Refused where the document has changed meanwhile. */
  async accept(): Promise<{ readonly ok: boolean }> {
    const open = this.#open;
    if (open === null || !open.isComplete) return { ok: false };
    const { anchor, code, languageId } = open;
    if (anchor !== null && (anchor.document.isClosed || anchor.document.version !== anchor.version)) {
      void vscode.window.showErrorMessage(
        t('The file changed after the proposal was made, so it was not applied. Reject it and ask again.'),
      );
      return { ok: false };
    }
    await this.#close(open);
    if (anchor === null) {
      const document = await vscode.workspace.openTextDocument({ content: code, language: languageId });
      await vscode.window.showTextDocument(document);
      return { ok: true };
    }
    const edit = new vscode.WorkspaceEdit();
    edit.replace(anchor.document.uri, anchor.range, replacement(anchor, code));
    const ok = await vscode.workspace.applyEdit(edit);
    if (ok) await vscode.window.showTextDocument(anchor.document);
    else void vscode.window.showErrorMessage(t('VS Code refused the edit: the file may be read-only.'));
    return { ok };
  }

  /** Forgets the proposal; the document stays as it is. */
  async reject(): Promise<{ readonly ok: boolean }> {
    const open = this.#open;
    if (open === null) return { ok: false };
    open.stop();
    await this.#close(open);
    return { ok: true };
  }

  async #close(open: Open): Promise<void> {
    this.#open = null;
    await vscode.commands.executeCommand('setContext', 'svc.proposalReady', false);
    const shown = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
    await vscode.window.tabGroups.close(shown.filter((tab) => tabShows(tab, open.uri.toString())));
  }
}

function tabShows({ input }: vscode.Tab, uri: string | undefined): boolean {
  return input instanceof vscode.TabInputTextDiff && input.modified.toString() === uri;
}
