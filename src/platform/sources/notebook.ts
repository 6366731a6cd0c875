import * as vscode from 'vscode';
import { type NotebookCell, readNotebook, textOfCells } from './notebookText.ts';
import { openText } from './open.ts';

/** Whether a file is a notebook: by its name, or because an editor shows it as one. */
export function isNotebook(uri: vscode.Uri): boolean {
  return /\.ipynb$/i.test(uri.path) || openNotebook(uri) !== undefined;
}

/**
 * Returns the cells of a notebook and the text of their outputs, with unsaved changes; the text of the file if it is not a
 * notebook. Only the maker may call this function, because it reads the file. Throws a ServiceError if it cannot be read as
 * text.
 */
export async function notebookText(uri: vscode.Uri): Promise<string> {
  const notebook = openNotebook(uri);
  if (notebook !== undefined) return textOfCells(notebook.getCells().map(cellOf));
  const text = (await openText(uri)).getText();
  const cells = readNotebook(text);
  return cells === null ? text : textOfCells(cells);
}

function openNotebook(uri: vscode.Uri): vscode.NotebookDocument | undefined {
  const text = uri.toString();
  return vscode.workspace.notebookDocuments.find((notebook) => notebook.uri.toString() === text);
}

function cellOf({ document, outputs }: vscode.NotebookCell): NotebookCell {
  return {
    language: document.languageId,
    text: document.getText(),
    outputs: outputs.map(({ items }) => ({
      forms: new Map(items.map(({ mime, data }) => [mime, textIn(mime, data)])),
    })),
  };
}

function textIn(mime: string, data: Uint8Array): string | null {
  const isText = mime.startsWith('text/') || mime === 'application/json' || mime.startsWith(vscodeTypes);
  if (!isText) return null;
  const text = new TextDecoder().decode(data);
  return mime === `${vscodeTypes}error` ? errorText(text) : text;
}

/** The prefix of VS Code's MIME types for the printed output and the error of a cell. */
const vscodeTypes = 'application/vnd.code.notebook.';

function errorText(json: string): string {
  try {
    const { name, message, stack } = JSON.parse(json) as Readonly<Record<string, unknown>>;
    return typeof stack === 'string' && stack !== '' ? stack : `${String(name)}: ${String(message)}`;
  } catch {
    return json;
  }
}
