import * as vscode from 'vscode';
import type { Content } from '../../../../gate/content.ts';
import { numbered } from '../../../../gate/numbered.ts';
import { attachFile, attachNotebook, cutRange } from '../../../../platform/sources/attach.ts';
import { isNotebook } from '../../../../platform/sources/notebook.ts';
import type { Attachment } from '../../../../session/conversation/attachment.ts';
import { ownText } from '../../../../session/tools/ownText.ts';
import type { ToolOutput } from '../../../../session/tools/toolStep.ts';
import type { ToolInput } from '../definitions.ts';
import { locate } from './place.ts';
import { ToolRefusal } from './refusal.ts';

/** Larger files are not readable text, and opening them would block the editor. */
const maxFileBytes = 5 * 1024 * 1024;

/** Reads a file as it is in the editor, with unsaved changes. */
export async function readFile({ path, firstLine = 1, lastLine }: ToolInput<'read_file'>): Promise<ToolOutput> {
  const uri = await locate(path);
  const { size, type } = await statOf(uri);
  if ((type & vscode.FileType.Directory) !== 0)
    throw new ToolRefusal(ownText`This path is a folder: list_files lists it.`);
  if (size > maxFileBytes) throw new ToolRefusal(ownText`This file is too large to be read: ${size} bytes.`);
  if (isNotebook(uri)) {
    const lines = new vscode.Range(firstLine - 1, 0, Math.max(firstLine, lastLine ?? Number.MAX_SAFE_INTEGER), 0);
    const cut = (content: Content): Content => cutRange(content, lines);
    const cells = await attachNotebook(uri, { outside: 'refuse' }, cut);
    return { text: ownText``, attachments: [withNumbers(cells, firstLine)] };
  }
  const part = (document: vscode.TextDocument): vscode.Range | undefined => {
    const { lineCount } = document;
    if (firstLine === 1 && (lastLine === undefined || lastLine >= lineCount)) return undefined;
    if (firstLine > lineCount) throw new ToolRefusal(ownText`This file has ${lineCount} lines.`);
    return document.validateRange(new vscode.Range(firstLine - 1, 0, Math.max(firstLine, lastLine ?? lineCount), 0));
  };
  const file = await attachFile(uri, part, { outside: 'refuse' });
  return { text: ownText``, attachments: [withNumbers(file, file.firstLine)] };
}

/** With the number of each line, which the model then need not count. */
function withNumbers(attachment: Attachment, firstLine: number): Attachment {
  const { text, marks, covers } = attachment;
  const made = numbered({ text, marks: marks ?? [], covers: covers ?? [] }, firstLine);
  return { ...attachment, text: made.text, ...(marks === undefined ? {} : { marks: made.marks }) };
}

async function statOf(uri: vscode.Uri): Promise<vscode.FileStat> {
  try {
    return await vscode.workspace.fs.stat(uri);
  } catch {
    throw new ToolRefusal(ownText`There is no file at this path.`);
  }
}
