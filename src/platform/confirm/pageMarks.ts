import * as vscode from 'vscode';
import { Disposable } from '../../util/disposable.ts';
import type { Heading, MarkedPage, PageMark } from './markedPage.ts';

const t = vscode.l10n.t;

/** The maximum number of marks of each kind that are drawn; more would slow down the editor. */
const maxDrawn = 2000;

/** Shows the headings of pages in the outline and folds them, and draws their marks. */
export class PageMarks extends Disposable implements vscode.DocumentSymbolProvider, vscode.FoldingRangeProvider {
  readonly #scheme: string;
  readonly #find: (uri: vscode.Uri) => MarkedPage | undefined;
  readonly #kinds = [
    this.#kind('heading', { fontWeight: 'bold' }),
    this.#kind('masked', colored('info'), t('A secret was masked here. It is not sent.')),
    this.#kind('unmasked', { ...colored('warning'), isWholeLine: true }, t('A secret in this line is sent unmasked.')),
  ];

  constructor(scheme: string, find: (uri: vscode.Uri) => MarkedPage | undefined) {
    super();
    this.#scheme = scheme;
    this.#find = find;
    this._register(vscode.languages.registerDocumentSymbolProvider({ scheme }, this));
    this._register(vscode.languages.registerFoldingRangeProvider({ scheme }, this));
    // An editor that becomes visible again has lost its decorations.
    this._register(
      vscode.window.onDidChangeVisibleTextEditors((editors) => {
        for (const editor of editors) this.draw(editor);
      }),
    );
  }

  provideDocumentSymbols(document: vscode.TextDocument): vscode.DocumentSymbol[] {
    const top: vscode.DocumentSymbol[] = [];
    const path: vscode.DocumentSymbol[] = [];
    for (const { title, level, line, lastLine } of this.#headings(document)) {
      const { range } = document.lineAt(line);
      const all = range.union(document.lineAt(lastLine).range);
      const symbol = new vscode.DocumentSymbol(title, '', vscode.SymbolKind.String, all, range);
      path.length = level;
      (path.at(-1)?.children ?? top).push(symbol);
      path.push(symbol);
    }
    return top;
  }

  provideFoldingRanges(document: vscode.TextDocument): vscode.FoldingRange[] {
    const folded = this.#headings(document).filter(({ line, lastLine }) => line < lastLine);
    return folded.map(({ line, lastLine }) => new vscode.FoldingRange(line, lastLine));
  }

  draw(editor: vscode.TextEditor): void {
    const { uri } = editor.document;
    if (uri.scheme !== this.#scheme) return;
    const marks = this.#find(uri)?.marks ?? [];
    for (const { kind, type, hoverMessage } of this.#kinds) {
      const drawn = marks.filter((mark) => mark.kind === kind).slice(0, maxDrawn);
      editor.setDecorations(
        type,
        drawn.map((mark) => ({ range: rangeOf(mark), ...(hoverMessage === undefined ? {} : { hoverMessage }) })),
      );
    }
  }

  #headings({ uri }: vscode.TextDocument): readonly Heading[] {
    return this.#find(uri)?.headings ?? [];
  }

  #kind(kind: PageMark['kind'], options: vscode.DecorationRenderOptions, hoverMessage?: string) {
    const type = this._register(vscode.window.createTextEditorDecorationType(options));
    return { kind, type, hoverMessage };
  }
}

/** Colors that every theme defines, with a border for high contrast themes. */
function colored(kind: 'info' | 'warning'): vscode.DecorationRenderOptions {
  return {
    backgroundColor: new vscode.ThemeColor(`inputValidation.${kind}Background`),
    border: '1px solid',
    borderColor: new vscode.ThemeColor(`inputValidation.${kind}Border`),
    overviewRulerColor: new vscode.ThemeColor(`editorOverviewRuler.${kind}Foreground`),
    overviewRulerLane: vscode.OverviewRulerLane.Full,
  };
}

/** Without `end`, the range extends to the end of the line: VS Code clips longer ranges. */
function rangeOf({ line, start, end }: PageMark): vscode.Range {
  return new vscode.Range(line, start, line, end ?? Number.MAX_SAFE_INTEGER);
}
