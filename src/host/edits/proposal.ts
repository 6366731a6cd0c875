import * as vscode from 'vscode';

/** A place in a document as it was when a proposal was asked for. */
export interface Anchor {
  readonly document: vscode.TextDocument;
  readonly version: number;
  /** What the proposal replaces; empty where it only inserts. */
  readonly range: vscode.Range;
  /** Put before each line of the code that is not blank. */
  readonly indent: string;
}

/** Where generated code goes: instead of a blank line at the cursor, else on lines of its own after the selection. */
export function anchorAt({ document, selection }: vscode.TextEditor): Anchor {
  const { version } = document;
  const endsBefore = !selection.isEmpty && selection.end.character === 0;
  const line = document.lineAt(endsBefore ? selection.end.line - 1 : selection.end.line);
  const indent = line.text.slice(0, line.firstNonWhitespaceCharacterIndex);
  const range = selection.isEmpty && line.isEmptyOrWhitespace ? line.rangeIncludingLineBreak : after(line);
  return { document, version, range, indent };
}

/** The start of the next line, or the end of the last one. */
function after(line: vscode.TextLine): vscode.Range {
  const { end } = line.rangeIncludingLineBreak;
  return new vscode.Range(end, end);
}

/** The text that takes the place of the anchor's range: indented as its surroundings, with the document's line ends. */
export function replacement({ document, range, indent }: Anchor, code: string): string {
  if (code === '') return document.getText(range);
  const lineEnd = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  const lines = code.replace(/\r?\n$/, '').split(/\r?\n/);
  const text = lines.map((line) => (line.trim() === '' ? '' : indent + line)).join(lineEnd) + lineEnd;
  // After a last line without a line end, the code begins with one.
  const startsLine = range.start.character === 0 || !range.isEmpty;
  return startsLine ? text : lineEnd + text;
}

/** The whole document as it would be. */
export function proposedText(anchor: Anchor, code: string): string {
  const { document, range } = anchor;
  const original = document.getText();
  const before = original.slice(0, document.offsetAt(range.start));
  return before + replacement(anchor, code) + original.slice(document.offsetAt(range.end));
}
