import * as vscode from 'vscode';
import { enclosingOf } from '../../edits/enclosing.ts';
import { type Attachment, isNameless } from '../../send/message/attachment.ts';
import type { Span } from '../../util/text/span.ts';
import { partOf } from './attach.ts';
import { documentContent, type Made } from './maker.ts';
import { openText } from './open.ts';

/**
 * Returns code that is to be explained, followed by its context in the file: the imports, and the function or the head of
 * the class. Returns only the code if it is a whole file, or no longer occurs in its file.
 */
export async function withEnclosing(code: Attachment): Promise<readonly Attachment[]> {
  if (code.refused !== undefined || isNameless(code) || code.text.trim() === '') return [code];
  const document = await openText(vscode.Uri.parse(code.uri)).catch(() => null);
  if (document === null) return [code];
  // The user chose this file, and was asked about it when its code was attached.
  const made = await documentContent(document, { outside: 'agreed' });
  if (!made.ok || !made.content.text.includes(code.text)) return [code];
  const start = code.firstLine - 1;
  const count = code.text.replace(/(?:\r\n|\r|\n)$/, '').split(/\r\n|\r|\n/).length;
  return [code, ...enclosingParts(document, made, { start, end: start + count })];
}

/** Returns the context of some lines of a document: the imports, and the function or the head of the class. */
export function enclosingParts(document: vscode.TextDocument, made: Made, lines: Span): readonly Attachment[] {
  if (!made.ok) return [];
  const all = made.content.text.split(/\r\n|\r|\n/);
  return enclosingOf(all, document.languageId, lines).map(({ start, end }) =>
    partOf(made, document, new vscode.Range(start, 0, end, 0)),
  );
}
