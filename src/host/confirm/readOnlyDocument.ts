import * as vscode from 'vscode';
import { Disposable } from '../../util/disposable.ts';

const scheme = 'svc-report';

/**
 * Read-only texts, such as a connection report or a request preview. Virtual documents, because an untitled document
 * would be backed up to disk. A text is dropped when its document is closed.
 */
export class ReadOnlyDocuments extends Disposable implements vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  #count = 0;

  constructor() {
    super();
    this._register(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
    this._register(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#texts.delete(uri.toString())));
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }

  /** `name` is the title of the tab; its extension determines the language. */
  async show(name: string, text: string): Promise<void> {
    this.#count += 1;
    const uri = vscode.Uri.from({ scheme, path: `/${name}`, query: String(this.#count) });
    this.#texts.set(uri.toString(), text);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true });
  }
}
