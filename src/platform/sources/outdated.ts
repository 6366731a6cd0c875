import * as vscode from 'vscode';
import type { Attachment } from '../../send/message/attachment.ts';
import { isServiceError } from '../../util/errors.ts';
import { relativePath } from '../files/relativePath.ts';
import { attachWhole } from './attach.ts';

/**
 * Returns the labels of the attachments whose files were changed or removed since they were attached. A file that may not be
 * sent now is not compared.
 */
export async function outdatedAttachments(attached: readonly Attachment[]): Promise<readonly string[]> {
  const byFile = Map.groupBy(attached, ({ uri }) => uri);
  const outdated = [...byFile].map(async ([uri, files]) => {
    const text = await textNow(uri);
    return files.filter((file) => text !== undefined && !stillHas(text, file)).map(({ label }) => label);
  });
  return [...new Set((await Promise.all(outdated)).flat())];
}

/** Whether the current text of a file still contains the attached part. */
export function stillHas(text: string, attached: Attachment): boolean {
  // In a stored conversation, secrets are masked, which is not a change.
  if (!isOfFile(attached) || attached.text.includes('[masked: ')) return true;
  return isWhole(attached) ? lines(text) === lines(attached.text) : lines(text).includes(lines(attached.text));
}

/** Whether an attachment contains the file, or lines of it, and not other text about the file, such as its problems. */
function isOfFile(attached: Attachment): boolean {
  return attached.refused === undefined && (isWhole(attached) || isPart(attached));
}

function isWhole({ label, uri }: Attachment): boolean {
  return label === nameOf(uri);
}

function isPart({ label, uri }: Attachment): boolean {
  return label.replace(/:\d+(?:-\d+)?$/, '') === nameOf(uri);
}

/** Returns null if the text is not a URI: a stored conversation may contain any text. */
function nameOf(uri: string): string | null {
  try {
    return relativePath(vscode.Uri.parse(uri, true));
  } catch {
    return null;
  }
}

/**
 * Returns the current text of a file: empty if the file does not exist, undefined if it may not be sent or cannot be read. A
 * stored conversation may name any URI, so only files of the workspace and open documents are read.
 */
async function textNow(name: string): Promise<string | undefined> {
  try {
    const uri = vscode.Uri.parse(name, true);
    const isOpen = vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri.toString());
    if (!isOpen && vscode.workspace.getWorkspaceFolder(uri) === undefined) return undefined;
    const { text, refused } = await attachWhole(uri, { outside: 'agreed' });
    return refused === undefined ? text : undefined;
  } catch (error) {
    return isServiceError(error) && error.code === 'gone' ? '' : undefined;
  }
}

function lines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
