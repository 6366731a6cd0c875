import * as vscode from 'vscode';
import { Disposable } from '../util/disposable.ts';

const scheme = 'svc-report';

/**
 * The report of the last diagnosis, as a read-only virtual document: an untitled one would be backed up to disk. It is
 * forgotten when it is closed.
 */
export class DiagnosisReport extends Disposable implements vscode.TextDocumentContentProvider {
  #shown: { readonly uri: string; readonly text: string } | null = null;
  #count = 0;

  constructor() {
    super();
    this._register(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
    this._register(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.toString() === this.#shown?.uri) this.#shown = null;
      }),
    );
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return uri.toString() === this.#shown?.uri ? this.#shown.text : '';
  }

  async show(text: string): Promise<void> {
    this.#count += 1;
    const path = `/${vscode.l10n.t('Connection Report')}.md`;
    const uri = vscode.Uri.from({ scheme, path, query: String(this.#count) });
    this.#shown = { uri: uri.toString(), text };
    const document = await vscode.workspace.openTextDocument(uri);
    // A change of the language closes and opens a document, so only where the name did not say it.
    if (document.languageId !== 'markdown') await vscode.languages.setTextDocumentLanguage(document, 'markdown');
    await vscode.window.showTextDocument(document, { preview: true });
  }
}
