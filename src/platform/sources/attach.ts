import type * as vscode from 'vscode';
import { alsoMarked, type Content, noText, sliceOf } from '../../gate/content.ts';
import type { Attachment } from '../../send/message/attachment.ts';
import { relativePath } from '../files/relativePath.ts';
import { folderOf } from '../settings/settingsReader.ts';
import { documentContent, type Made, type MakeOptions, makeContent } from './maker.ts';
import { isNotebook, notebookText } from './notebook.ts';
import { openText } from './open.ts';
import { secretsOf } from './scans.ts';
import { symbolAt } from './symbols.ts';

/** The label and origin of an attachment. */
interface About {
  readonly label: string;
  readonly uri: vscode.Uri;
  readonly languageId: string;
  /** The line of the file at which the text starts, counted from 1. */
  readonly firstLine?: number;
}

/**
 * Makes an attachment of a content or a part of it. Content that may not be sent becomes an attachment without text, which
 * no request accepts.
 */
export function attachmentOf(
  made: Made,
  { label, uri, languageId, firstLine = 1 }: About,
  cut: (content: Content) => Content = (content) => content,
): Attachment {
  const about = { label, uri: uri.toString(), firstLine, languageId, folder: folderOf(uri) };
  if (!made.ok) return { ...about, text: noText, refused: made.rule };
  const { text, marks, covers } = cut(made.content);
  return { ...about, text, marks, covers, ...(made.outside === undefined ? {} : { outside: made.outside }) };
}

/** Selects a part of a document; undefined for the whole document. */
type Part = (document: vscode.TextDocument) => vscode.Range | undefined | Promise<vscode.Range | undefined>;

const askOutside: MakeOptions = { outside: 'ask' };

/**
 * Attaches part of a document (or all of it) as the editor has it, with a label that states the part. Throws a
 * ServiceError `aborted` if the user does not agree to a file outside the workspace.
 */
export async function attachRange(
  document: vscode.TextDocument,
  range: vscode.Range | undefined,
  options = askOutside,
): Promise<Attachment> {
  return partOf(await documentContent(document, options), document, range);
}

/**
 * Like attachRange(), but for a file, which is opened only if it may be sent. Also throws a ServiceError if it does not
 * exist or is not text.
 */
export async function attachFile(
  uri: vscode.Uri,
  part: Part = () => undefined,
  options = askOutside,
): Promise<Attachment> {
  let opened: vscode.TextDocument | undefined;
  let range: vscode.Range | undefined;
  const read = async (): Promise<string> => {
    opened = await openText(uri);
    range = await part(opened);
    return opened.getText();
  };
  const made = await makeContent([uri], read, options);
  return partOf(made, opened ?? { uri, languageId: '', isUntitled: false, fileName: uri.path }, range);
}

/**
 * Attaches a text that is proposed for a file, or a part of it. `files` are the files that it comes from: it is sent only if all
 * of them may be sent. The secrets of the text `before` are secrets of this text, too. Its languageId is empty: VS Code has no
 * document of this text.
 */
export async function attachText(
  uri: vscode.Uri,
  { text, files, before }: { readonly text: string; readonly files: readonly vscode.Uri[]; readonly before: string },
  range: vscode.Range | undefined,
): Promise<Attachment> {
  const made = await makeContent([uri, ...files], () => text, { outside: 'refuse' });
  const marked = await withSecretsOf(made, before);
  return partOf(marked, { uri, languageId: '', isUntitled: false, fileName: uri.path }, range);
}

/** Marks the secrets of a text in content that is about it or was made from it: a scan of the content alone may not find them. */
export async function withSecretsOf(made: Made, text: string): Promise<Made> {
  if (!made.ok) return made;
  const { content } = made;
  return { ...made, content: alsoMarked(content, await secretsOf(text, content.text)) };
}

/** Attaches a whole file; a notebook is attached as its cells and the text of their outputs. Throws like attachFile(). */
export function attachWhole(uri: vscode.Uri, options = askOutside): Promise<Attachment> {
  return isNotebook(uri) ? attachNotebook(uri, options) : attachFile(uri, undefined, options);
}

/** Attaches a notebook as its cells and the text of their outputs, or a part of that. Throws like attachFile(). */
export async function attachNotebook(
  uri: vscode.Uri,
  options = askOutside,
  cut?: (content: Content) => Content,
): Promise<Attachment> {
  const made = await makeContent([uri], () => notebookText(uri), options);
  return attachmentOf(made, { label: relativePath(uri), uri, languageId: 'plaintext' }, cut);
}

/** Makes an attachment of a part of a document whose content was already made. */
export function partOf(
  made: Made,
  document: Pick<vscode.TextDocument, 'uri' | 'languageId' | 'isUntitled' | 'fileName'>,
  range: vscode.Range | undefined,
): Attachment {
  const { uri, languageId } = document;
  const path = document.isUntitled ? document.fileName : relativePath(uri);
  const label = range === undefined ? path : `${path}:${linesOf(range)}`;
  return attachmentOf(made, { label, uri, languageId, firstLine: (range?.start.line ?? 0) + 1 }, (content) =>
    range === undefined ? content : cutRange(content, range),
  );
}

/** Cuts a range out of the text that was made, because the document may have changed since then. */
export function cutRange(content: Content, { start, end }: vscode.Range): Content {
  return sliceOf(content, offsetOf(content.text, start), offsetOf(content.text, end));
}

/** Returns the UTF-16 offset of a position in a text with the line endings of VS Code (LF or CRLF). */
export function offsetOf(text: string, { line, character }: vscode.Position): number {
  let at = 0;
  for (let left = line; left > 0; left -= 1) {
    const end = text.indexOf('\n', at);
    if (end === -1) return text.length;
    at = end + 1;
  }
  const end = text.indexOf('\n', at);
  return Math.min(at + character, end === -1 ? text.length : end);
}

/** Attaches the selection, or the symbol at the cursor, or the whole file. */
export async function attachCode(
  { document, selection }: vscode.TextEditor,
  options = askOutside,
): Promise<Attachment> {
  const range = selection.isEmpty ? await symbolAt(document, selection.active) : selection;
  return attachRange(document, range, options);
}

/**
 * Returns the lines of a range, such as `3-12`, counted from 1. A selection that ends at the start of a line does not
 * include that line.
 */
export function linesOf({ start, end }: vscode.Range): string {
  const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
  return start.line + 1 === last ? String(last) : `${start.line + 1}-${last}`;
}
