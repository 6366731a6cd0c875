import * as vscode from 'vscode';
import type { Attachment } from '../../send/message/attachment.ts';
import { isServiceError } from '../../util/errors.ts';
import { attachWhole } from './attach.ts';

/** The labels of the attachments whose files were changed or removed since. A file that may not leave now is not compared. */
export async function outdatedAttachments(attached: readonly Attachment[]): Promise<readonly string[]> {
  const byFile = Map.groupBy(attached, ({ uri }) => uri);
  const outdated = [...byFile].map(async ([uri, files]) => {
    const text = await textNow(uri);
    return files.filter((file) => text !== undefined && !stillHas(text, file)).map(({ label }) => label);
  });
  return [...new Set((await Promise.all(outdated)).flat())];
}

/** Whether a file with this text has what was attached of it. */
export function stillHas(text: string, attached: Attachment): boolean {
  // In a conversation that was stored, secrets are masked: that is no change.
  if (!isOfFile(attached) || attached.text.includes('[masked: ')) return true;
  return isWhole(attached) ? lines(text) === lines(attached.text) : lines(text).includes(lines(attached.text));
}

/** The file, or lines of it; not what names a file and has other text, such as its problems. */
function isOfFile(attached: Attachment): boolean {
  return attached.refused === undefined && (isWhole(attached) || isPart(attached));
}

function isWhole({ label, uri }: Attachment): boolean {
  return label === nameOf(uri);
}

function isPart({ label, uri }: Attachment): boolean {
  return label.replace(/:\d+(?:-\d+)?$/, '') === nameOf(uri);
}

/** null for what is no URI: a stored conversation may have any text. */
function nameOf(uri: string): string | null {
  try {
    return vscode.workspace.asRelativePath(vscode.Uri.parse(uri, true));
  } catch {
    return null;
  }
}

/**
 * Empty if the file is gone; undefined if it may not leave, or cannot be read. A stored conversation may name any address:
 * only files of the workspace and those in an editor are read.
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
