import * as vscode from 'vscode';
import { Disposable } from '../../util/disposable.ts';
import { reportScheme } from '../sources/ownDocuments.ts';
import type { MarkedPage } from './markedPage.ts';
import { PageMarks } from './pageMarks.ts';

/** The language ID of plain text whose long lines wrap, unless the user's settings disable that. */
const textLanguage = 'svc-text';

/**
 * Shows read-only texts, such as a connection report or a request preview. They are virtual documents, because an untitled
 * document would be backed up to the disk. A text is dropped when its document is closed; a rendered text is kept, because
 * VS Code closes the document behind a page that is still open.
 */
export class ReadOnlyDocuments extends Disposable implements vscode.TextDocumentContentProvider {
  readonly #pages = new Map<string, MarkedPage>();
  readonly #rendered = new Map<string, string>();
  readonly #changed = this._register(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.#changed.event;
  readonly #marks = this._register(new PageMarks(reportScheme, (uri) => this.#pages.get(uri.toString())));
  #count = 0;

  constructor() {
    super();
    this._register(vscode.workspace.registerTextDocumentContentProvider(reportScheme, this));
    this._register(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#pages.delete(uri.toString())));
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#pages.get(uri.toString())?.text ?? this.#rendered.get(uri.toString()) ?? '';
  }

  /**
   * Shows Markdown as VS Code renders it. Each name has one page, which shows the latest text. Untrusted text in `markdown`
   * must be escaped.
   */
  async showRendered(name: string, markdown: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: reportScheme, path: `/${name}.md` });
    this.#rendered.set(uri.toString(), markdown);
    this.#changed.fire(uri);
    await vscode.commands.executeCommand('markdown.showPreview', uri);
  }

  /** Shows a page. `name` is the title of the tab, and its extension determines the language. */
  async show(name: string, page: string | MarkedPage): Promise<void> {
    this.#count += 1;
    const uri = vscode.Uri.from({ scheme: reportScheme, path: `/${name}`, query: String(this.#count) });
    const keep = () =>
      this.#pages.set(uri.toString(), typeof page === 'string' ? { text: page, headings: [], marks: [] } : page);
    keep();
    let document = await vscode.workspace.openTextDocument(uri);
    if (name.endsWith('.txt')) {
      // Long lines of this language wrap by default (package.json). VS Code closes and reopens a document when its language
      // changes, which drops the page.
      document = await vscode.languages.setTextDocumentLanguage(document, textLanguage);
      keep();
    }
    this.#marks.draw(await vscode.window.showTextDocument(document, { preview: true }));
  }
}
