import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Content } from '../../../../gate/content.ts';
import { attachFile, attachNotebook, attachText, cutRange } from '../../../../platform/sources/attach.ts';
import { makeContent } from '../../../../platform/sources/maker.ts';
import { isNotebook } from '../../../../platform/sources/notebook.ts';
import type { Attachment } from '../../../../send/message/attachment.ts';
import { ownText } from '../../../../session/tools/ownText.ts';
import { beginningWithNumbers } from './numberedLines.ts';
import { locate, ToolRefusal } from './place.ts';
import {
  aboutPath,
  defineTool,
  line,
  maxResultBytes,
  type OwnOutput,
  type ProposedFiles,
  path,
  shown,
  text,
  whole as wholeNumber,
} from './tool.ts';

const t = vscode.l10n.t;

export const readFile = defineTool({
  name: 'read_file',
  description:
    'Reads a text file of the workspace, or some lines of it. Each line has its number, | and a space in front, which are not in the file. Long results are cut: ask for the other lines then.',
  fields: {
    path: text(path, aboutPath),
    firstLine: wholeNumber(z.optional(line), 'The first line to read, counted from 1.'),
    lastLine: wholeNumber(z.optional(line), 'The last line to read.'),
  },
  title: () => t('Read files'),
  does: () => t('Reads a text file of the workspace, or some of its lines.'),
  words: ({ path, firstLine, lastLine }) => {
    if (firstLine !== undefined && lastLine !== undefined)
      return t('read lines {0} to {1} of {2}', firstLine, lastLine, shown(path));
    if (firstLine !== undefined) return t('read {1} from line {0}', firstLine, shown(path));
    if (lastLine !== undefined) return t('read {1} up to line {0}', lastLine, shown(path));
    return t('read {0}', shown(path));
  },
  run: ({ path, firstLine, lastLine }, _, proposed) => read(path, proposed, firstLine, lastLine),
});

/** The maximum size of a file: larger files are not readable text, and opening them would block the editor. */
const maxFileBytes = 5 * 1024 * 1024;

/** Reads the proposed text of a file, or else its text in the editor, with unsaved changes. */
async function read(path: string, proposed: ProposedFiles, firstLine = 1, lastLine?: number): Promise<OwnOutput> {
  const uri = await locate(path);
  const proposedText = proposed.textOf(uri);
  if (proposedText === null) throw new ToolRefusal(ownText`Refused: this file is proposed to be deleted or renamed.`);
  if (proposedText !== undefined) {
    const range = linesOfFile(proposedText.text.split('\n').length, firstLine, lastLine);
    const file = await attachText(uri, proposedText, range);
    const text = ownText`This is the proposed text. It is not written.`;
    return { text, ...withNumbers(file, firstLine), read: { file: uri, text: null } };
  }
  const { size, type } = await statOf(uri);
  if ((type & vscode.FileType.Directory) !== 0)
    throw new ToolRefusal(ownText`This path is a folder: list_files lists it.`);
  // The size of a file is told only if its text may be sent: another of its names may be excluded.
  if (size > maxFileBytes && (await makeContent([uri], () => '', { outside: 'refuse' })).ok)
    throw new ToolRefusal(ownText`This file is too large to be read: ${size} bytes.`);
  if (isNotebook(uri)) {
    const lines = new vscode.Range(firstLine - 1, 0, Math.max(firstLine, lastLine ?? Number.MAX_SAFE_INTEGER), 0);
    const cut = (content: Content): Content => cutRange(content, lines);
    const cells = await attachNotebook(uri, { outside: 'refuse' }, cut);
    return { text: ownText``, ...withNumbers(cells, firstLine) };
  }
  let whole: string | undefined;
  const part = (document: vscode.TextDocument): vscode.Range | undefined => {
    const range = linesOfFile(document.lineCount, firstLine, lastLine);
    if (range !== undefined) return document.validateRange(range);
    whole = document.getText();
    return undefined;
  };
  const file = await attachFile(uri, part, { outside: 'refuse' });
  return { text: ownText``, ...withNumbers(file, file.firstLine), read: { file: uri, text: whole ?? null } };
}

/** Numbers the lines, without those for which no result has room: each character takes at least one byte. */
function withNumbers(file: Attachment, firstLine: number): Pick<OwnOutput, 'attachments' | 'bytesLeftOut'> {
  const { attachment, bytesLeftOut } = beginningWithNumbers(file, firstLine, maxResultBytes);
  return { attachments: [attachment], ...(bytesLeftOut === 0 ? {} : { bytesLeftOut }) };
}

/** Returns the range of some lines, or undefined for all lines of a file. */
function linesOfFile(count: number, firstLine: number, lastLine: number | undefined): vscode.Range | undefined {
  if (firstLine === 1 && (lastLine === undefined || lastLine >= count)) return undefined;
  if (firstLine > count) throw new ToolRefusal(ownText`This file has ${count} lines.`);
  return new vscode.Range(firstLine - 1, 0, Math.min(count, Math.max(firstLine, lastLine ?? count)), 0);
}

async function statOf(uri: vscode.Uri): Promise<vscode.FileStat> {
  try {
    return await vscode.workspace.fs.stat(uri);
  } catch {
    throw new ToolRefusal(ownText`There is no file at this path.`);
  }
}
