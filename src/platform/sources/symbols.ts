import * as vscode from 'vscode';
import { beginOf } from '../../edits/text/begin.ts';
import { Code } from '../../edits/text/units.ts';

/** The symbols of a document with their places. Some extensions only give lists of names, which have none inside. */
async function symbolsOf({
  uri,
}: vscode.TextDocument): Promise<readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[]> {
  const found = await vscode.commands.executeCommand<
    readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined
  >('vscode.executeDocumentSymbolProvider', uri);
  return found ?? [];
}

/** The innermost symbol around a position that is more than a variable, with its comments and decorators. */
export async function symbolAt(
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<vscode.Range | undefined> {
  let symbols = (await symbolsOf(document)).filter((symbol): symbol is vscode.DocumentSymbol => 'children' in symbol);
  const begin = new Begin(document);
  let range: vscode.Range | undefined;
  for (;;) {
    const around = symbols.find((symbol) => symbol.range.contains(position)) ?? symbolBelow(symbols, position, begin);
    if (around === undefined) return range === undefined ? undefined : begin.of(range);
    if (whole.has(around.kind)) range = around.range;
    symbols = around.children;
  }
}

/** The symbol in whose comments or decorators a position is: language extensions begin some symbols at their names. */
function symbolBelow(
  symbols: readonly vscode.DocumentSymbol[],
  position: vscode.Position,
  begin: Begin,
): vscode.DocumentSymbol | undefined {
  let next: vscode.DocumentSymbol | undefined;
  for (const symbol of symbols) {
    if (symbol.range.start.isAfter(position) && next?.range.start.isBefore(symbol.range.start) !== true) next = symbol;
  }
  return next !== undefined && begin.of(next.range).contains(position) ? next : undefined;
}

/**
 * The range of the symbol with this name nearest to its old position, with its comments and decorators; the old range
 * where there is none.
 */
export async function symbolNamed(
  document: vscode.TextDocument,
  name: string,
  was: vscode.Range,
): Promise<vscode.Range> {
  const ranges = (await symbolsOf(document)).flatMap((symbol) => named(symbol, plain(name)));
  const distance = (range: vscode.Range): number => Math.abs(range.start.line - was.start.line);
  const [nearest] = ranges.sort((a, b) => distance(a) - distance(b));
  const range = nearest ?? document.validateRange(new vscode.Range(was.start.line, 0, was.end.line + 1, 0));
  return new Begin(document).of(range);
}

function named(symbol: vscode.DocumentSymbol | vscode.SymbolInformation, name: string): vscode.Range[] {
  if (!('children' in symbol)) return plain(symbol.name) === name ? [symbol.location.range] : [];
  const own = plain(symbol.name) === name ? [symbol.range] : [];
  return [...own, ...symbol.children.flatMap((child) => named(child, name))];
}

/** Some providers return `total()` in one list and `total` in the other. */
function plain(name: string): string {
  return name.replace(/\(.*$/, '');
}

/** Where the symbols of a document begin. */
class Begin {
  readonly #document: vscode.TextDocument;
  #code: Code | undefined;

  constructor(document: vscode.TextDocument) {
    this.#document = document;
  }

  /** Extends a range to the first of the comments and decorators above it. A range that follows other code in its line stays the same. */
  of(range: vscode.Range): vscode.Range {
    this.#code ??= new Code(this.#document.getText().split(/\r\n|\r|\n/), this.#document.languageId);
    const { line, character } = range.start;
    const begin = beginOf(this.#code, line, character);
    return begin === null ? range : range.with(new vscode.Position(begin, 0));
  }
}

const whole = new Set([
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
