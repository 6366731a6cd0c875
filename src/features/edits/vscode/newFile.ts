import * as vscode from 'vscode';
import { showHint } from '../../../platform/messages/hint.ts';
import { openDocument } from '../../../platform/sources/open.ts';

const t = vscode.l10n.t;
const utf8 = 'utf8';

/**
 * Creates a file with its text in one step, so that an empty file never exists, in the encoding of `files.encoding`. A
 * text with characters that the encoding lacks is written as UTF-8, and the user is told: they would become question
 * marks. Returns its document, or null if VS Code does not create it.
 */
export async function createTextFile(
  uri: vscode.Uri,
  text: string,
  about: { readonly languageId: string; readonly overwrite: boolean },
): Promise<vscode.TextDocument | null> {
  const encoding = vscode.workspace
    .getConfiguration('files', { uri, languageId: about.languageId })
    .get('encoding', utf8);
  const contents = await encodedAs(text, encoding);
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri, { overwrite: about.overwrite, contents: contents ?? new TextEncoder().encode(text) });
  if (!(await vscode.workspace.applyEdit(edit))) return null;
  if (contents !== null) return openDocument(uri);
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  showHint(t('{0} was saved as UTF-8, because {1} lacks some of its characters.', name, encoding), { isWarning: true });
  return vscode.workspace.openTextDocument(uri, { encoding: utf8 });
}

/** Returns the encoded text, or null if the encoding lacks some of its characters. */
async function encodedAs(text: string, encoding: string): Promise<Uint8Array | null> {
  if (encoding === utf8) return new TextEncoder().encode(text);
  const bytes = await vscode.workspace.encode(text, { encoding });
  const read = await vscode.workspace.decode(bytes, { encoding });
  return read.replace(/^\ufeff/, '') === text.replace(/^\ufeff/, '') ? bytes : null;
}
