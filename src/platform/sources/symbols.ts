import * as vscode from 'vscode';
import { beginOf } from '../../edits/text/begin.ts';
import { Code } from '../../edits/text/units.ts';

/** Returns the symbols of a document. Some language extensions return only flat lists, whose symbols have no children. */
async function symbolsOf({
  uri,
}: vscode.TextDocument): Promise<readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[]> {
  const found = await vscode.commands
    .executeCommand<readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined>(
      'vscode.executeDocumentSymbolProvider',
      uri,
    )
    // VS Code has no symbols of some documents, such as a search editor.
    .then(undefined, () => undefined);
  return found ?? [];
}

/** Returns the innermost function, class or similar symbol around a position, with its comments and decorators. */
export async function symbolAt(
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<vscode.Range | undefined> {
  let symbols = (await symbolsOf(document)).filter((symbol): symbol is vscode.DocumentSymbol => 'children' in symbol);
  const begin = new SymbolStarts(document);
  let range: vscode.Range | undefined;
  for (;;) {
    const around = symbols.find((symbol) => symbol.range.contains(position)) ?? symbolBelow(symbols, position, begin);
    if (around === undefined) return range === undefined ? undefined : begin.of(range);
    if (wholeKinds.has(around.kind)) range = around.range;
    symbols = around.children;
  }
}

/**
 * Returns the symbol whose comments or decorators contain a position, because language extensions begin some symbols at
 * their names.
 */
function symbolBelow(
  symbols: readonly vscode.DocumentSymbol[],
  position: vscode.Position,
  begin: SymbolStarts,
): vscode.DocumentSymbol | undefined {
  let next: vscode.DocumentSymbol | undefined;
  for (const symbol of symbols) {
    if (symbol.range.start.isAfter(position) && next?.range.start.isBefore(symbol.range.start) !== true) next = symbol;
  }
  return next !== undefined && begin.of(next.range).contains(position) ? next : undefined;
}

/**
 * Returns the range of the symbol with this name that is nearest to its old position, with its comments and decorators; the
 * old range if there is no such symbol.
 */
export async function symbolNamed(
  document: vscode.TextDocument,
  name: string,
  oldRange: vscode.Range,
): Promise<vscode.Range> {
  const ranges = (await symbolsOf(document)).flatMap((symbol) => rangesNamed(symbol, plainName(name)));
  const distance = (range: vscode.Range): number => Math.abs(range.start.line - oldRange.start.line);
  const [nearest] = ranges.sort((a, b) => distance(a) - distance(b));
  const range = nearest ?? document.validateRange(new vscode.Range(oldRange.start.line, 0, oldRange.end.line + 1, 0));
  return new SymbolStarts(document).of(range);
}

function rangesNamed(symbol: vscode.DocumentSymbol | vscode.SymbolInformation, name: string): vscode.Range[] {
  if (!('children' in symbol)) return plainName(symbol.name) === name ? [symbol.location.range] : [];
  const own = plainName(symbol.name) === name ? [symbol.range] : [];
  return [...own, ...symbol.children.flatMap((child) => rangesNamed(child, name))];
}

/** Returns a name without parentheses: some providers return `total()` in one list and `total` in another. */
function plainName(name: string): string {
  return name.replace(/\(.*$/, '');
}

/** Finds the beginnings of the symbols of a document. */
class SymbolStarts {
  readonly #document: vscode.TextDocument;
  #code: Code | undefined;

  constructor(document: vscode.TextDocument) {
    this.#document = document;
  }

  /**
   * Extends a range to include the comments and decorators above it. A range that follows other code in its line stays the
   * same.
   */
  of(range: vscode.Range): vscode.Range {
    this.#code ??= new Code(this.#document.getText().split(/\r\n|\r|\n/), this.#document.languageId);
    const { line, character } = range.start;
    const begin = beginOf(this.#code, line, character);
    return begin === null ? range : range.with(new vscode.Position(begin, 0));
  }
}

const wholeKinds = new Set([
  vscode.SymbolKind.Class,
  vscode.SymbolKind.Constructor,
  vscode.SymbolKind.Enum,
  vscode.SymbolKind.Function,
  vscode.SymbolKind.Interface,
  vscode.SymbolKind.Method,
  vscode.SymbolKind.Module,
  vscode.SymbolKind.Namespace,
  vscode.SymbolKind.Struct,
]);
