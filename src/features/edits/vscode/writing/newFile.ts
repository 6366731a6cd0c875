import * as vscode from 'vscode';
import { showHint } from '../../../../platform/messages/hint.ts';
import { openDocument } from '../../../../platform/sources/open.ts';

const t = vscode.l10n.t;
const utf8 = 'utf8';

/** The bytes of a file that does not exist yet. */
export interface NewFile {
  readonly contents: Uint8Array;
  /** Opens the document, once the file has been written. */
  open(): Promise<vscode.TextDocument>;
}

/**
 * Encodes a text as `files.encoding` says. A text with characters that the encoding lacks becomes UTF-8, and the user is
 * told: they would become question marks.
 */
export async function encodeNewFile(uri: vscode.Uri, text: string, languageId?: string): Promise<NewFile> {
  const scope = languageId === undefined ? uri : { uri, languageId };
  const encoding = vscode.workspace.getConfiguration('files', scope).get('encoding', utf8);
  const contents = await encodedAs(text, encoding);
  if (contents !== null) return { contents, open: () => openDocument(uri) };
  const open = async (): Promise<vscode.TextDocument> => {
    const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
    const told = t('{0} was saved as UTF-8, because {1} lacks some of its characters.', name, encoding);
    showHint(told, { isWarning: true });
    return vscode.workspace.openTextDocument(uri, { encoding: utf8 });
  };
  return { contents: new TextEncoder().encode(text), open };
}

/** Returns the encoded text, or null if the encoding lacks some of its characters. */
export async function encodedAs(text: string, encoding: string): Promise<Uint8Array | null> {
  if (encoding === utf8) return new TextEncoder().encode(text);
  const bytes = await vscode.workspace.encode(text, { encoding });
  const read = await vscode.workspace.decode(bytes, { encoding });
  return read.replace(/^\ufeff/, '') === text.replace(/^\ufeff/, '') ? bytes : null;
}
