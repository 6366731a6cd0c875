import * as vscode from 'vscode';
import type { Span } from '../../../../util/text/span.ts';
import { type Hunk, hunksOf, linesOf } from '../../common/hunks.ts';
import { editsFor, textEdit } from './fileText.ts';
import { type LineEdit, lineEdit } from './lineEdit.ts';

/** The maximum wait in milliseconds for the formatter. After it, the text stays unformatted. */
const formatterTime = 3_000;

/**
 * Puts lines into the document of an editor and formats what differs from `first`, as one undo step: there is no undo stop
 * between the two edits. The formatter reads the document, and most formatters accept only files, so the text cannot be
 * formatted before. Returns false if VS Code rejected the first edit.
 */
export async function putFormatted(
  editor: vscode.TextEditor,
  lines: readonly string[],
  first: readonly string[],
): Promise<boolean> {
  const { document } = editor;
  const put = (all: readonly vscode.TextEdit[], undoStopBefore: boolean, undoStopAfter: boolean): Thenable<boolean> =>
    editor.edit((builder) => all.forEach(({ range, newText }) => void builder.replace(range, newText)), {
      undoStopBefore,
      undoStopAfter,
    });
  if (!(await put(editsFor(document, lines), true, false))) return false;
  const { version } = document;
  const changed = hunksOf(first, linesOf(document.getText())).map(({ proposedStart, proposedEnd }) => ({
    start: proposedStart,
    end: proposedEnd,
  }));
  const formatting = formatEdits(document, changed, editor.options).catch(() => []);
  const late = new Promise<readonly LineEdit[]>((resolve) => setTimeout(() => resolve([]), formatterTime).unref());
  const formatted = await Promise.race([formatting, late]);
  if (formatted.length > 0 && document.version === version) await put(formatted.map(textEdit), false, true);
  return true;
}

/** Returns the formatter's edits for these line spans only, or an empty array if there is no formatter. */
async function formatEdits(
  document: vscode.TextDocument,
  spans: readonly Span[],
  { tabSize, insertSpaces }: vscode.TextEditorOptions,
): Promise<readonly LineEdit[]> {
  const edits = await askFormatter(document, spans, {
    tabSize: typeof tabSize === 'number' ? tabSize : 4,
    insertSpaces: insertSpaces !== false,
  });
  if (edits.length === 0) return [];
  const lines = linesOf(document.getText());
  const formatted = linesOf(applied(document, edits));
  const lineEnding = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  return hunksOf(lines, formatted)
    .flatMap(byLine)
    .filter((hunk) => spans.some(({ start, end }) => start <= hunk.start && hunk.end <= end))
    .map((hunk) => lineEdit(hunk, lines, formatted, lineEnding));
}

/**
 * Runs the range formatter for one span, or the document formatter for several spans; its edits elsewhere are dropped.
 */
async function askFormatter(
  { uri, lineCount }: vscode.TextDocument,
  spans: readonly Span[],
  options: vscode.FormattingOptions,
): Promise<readonly vscode.TextEdit[]> {
  const [only, ...others] = spans;
  if (only === undefined) return [];
  const range = new vscode.Range(only.start, 0, Math.min(only.end, lineCount), 0);
  const run = (command: string, ...args: readonly unknown[]): Thenable<readonly vscode.TextEdit[] | undefined> =>
    vscode.commands.executeCommand(command, uri, ...args);
  const ofRange = others.length > 0 ? [] : await run('vscode.executeFormatRangeProvider', range, options);
  if (ofRange !== undefined && ofRange.length > 0) return ofRange;
  return (await run('vscode.executeFormatDocumentProvider', options)) ?? [];
}

function applied(document: vscode.TextDocument, edits: readonly vscode.TextEdit[]): string {
  let text = document.getText();
  const last = [...edits].sort((a, b) => a.range.start.compareTo(b.range.start)).reverse();
  for (const { range, newText } of last) {
    text = text.slice(0, document.offsetAt(range.start)) + newText + text.slice(document.offsetAt(range.end));
  }
  return text;
}

/** Splits a hunk with equal line counts into single lines, so that changes outside the spans can be dropped. */
function byLine(hunk: Hunk): readonly Hunk[] {
  const { start, end, proposedStart, proposedEnd } = hunk;
  if (end - start !== proposedEnd - proposedStart) return [hunk];
  return Array.from({ length: end - start }, (_, index) => ({
    start: start + index,
    end: start + index + 1,
    proposedStart: proposedStart + index,
    proposedEnd: proposedStart + index + 1,
  }));
}
