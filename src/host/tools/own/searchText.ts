import * as vscode from 'vscode';
import { joinOf, sliceOf } from '../../../gate/content.ts';
import type { ToolOutput } from '../../../session/tools/toolStep.ts';
import { abortedError } from '../../../util/errors.ts';
import { eachOf } from '../../context/gather.ts';
import { type MakeOptions, makeContent } from '../../sources/maker.ts';
import type { ToolInput } from '../definitions.ts';
import { linesIn } from './linesIn.ts';
import { rowsOf } from './rows.ts';

/** The maximum number of files that are searched, and the maximum size of each. */
const maxFiles = 5_000;
const maxFileBytes = 1024 * 1024;
const maxRows = 300;
const atATime = 8;

/** The lines of the workspace's files that contain a text, file by file; files that may not leave are left out. */
export async function searchText(
  { query, files = '**/*' }: ToolInput<'search_text'>,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const found = await vscode.workspace.findFiles(files, '**/{node_modules,.git}/**', maxFiles);
  const sorted = [...found].sort((a, b) => (a.path < b.path ? -1 : 1));
  const options: MakeOptions = { outside: 'refuse', known: new Map() };
  let leftOut = 0;
  let count = 0;
  const perFile = await eachOf(sorted, atATime, async (file) => {
    if (signal.aborted) throw abortedError();
    if (count > maxRows) return [];
    const text = await textOf(file);
    const lines = linesIn(text, query);
    if (lines.length === 0) return [];
    // Only for files with a match: the check takes too long for thousands of files.
    const made = await makeContent([file], () => text, options);
    if (!made.ok) {
      leftOut += 1;
      return [];
    }
    count += lines.length;
    const path = vscode.workspace.asRelativePath(file);
    return lines.map(({ line, start, end }) => ({
      uri: file,
      content: joinOf([`${path}:${line}: `, sliceOf(made.content, start, end)]),
    }));
  });
  const notes = [
    ...(leftOut === 0 ? [] : [`[left out: ${leftOut} files that may not leave]`]),
    ...(found.length < maxFiles ? [] : [`[only ${maxFiles} files were looked through: narrow them with files]`]),
  ];
  return rowsOf(`search "${query}"`, perFile.flat(), maxRows, notes);
}

/** Empty if the file is too large, is not text, or cannot be read. */
async function textOf(file: vscode.Uri): Promise<string> {
  try {
    const { size } = await vscode.workspace.fs.stat(file);
    if (size > maxFileBytes) return '';
    const bytes = await vscode.workspace.fs.readFile(file);
    return bytes.includes(0) ? '' : new TextDecoder().decode(bytes);
  } catch {
    return '';
  }
}
