import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { type Content, joinOf, sliceOf } from '../../../../gate/content.ts';
import { globsOf } from '../../../../gate/globs/globs.ts';
import { type ReadFiles, whyFilesExcluded } from '../../../../platform/sources/ignored/exclusions.ts';
import { type MakeOptions, makeContent } from '../../../../platform/sources/maker.ts';
import { searchableText } from '../../../../platform/sources/open.ts';
import { ownText } from '../../../../session/tools/ownText.ts';
import type { ToolOutput } from '../../../../session/tools/toolStep.ts';
import { abortedError } from '../../../../util/errors.ts';
import { eachOf } from '../../../context/vscode/gather.ts';
import { hasLine, linesIn } from './linesIn.ts';
import { pathOf } from './place.ts';
import { withProposed } from './proposedRows.ts';
import { rowsOf } from './rows.ts';
import { defineTool, type ProposedFile, shown, text, words } from './tool.ts';

const t = vscode.l10n.t;

export const searchText = defineTool({
  name: 'search_text',
  description:
    'Searches the files of the workspace for a text, without regard to case, and lists the lines that have it.',
  fields: {
    query: text(words, 'Literal text of one line, not a regular expression.'),
    files: text(z.optional(words), 'A glob of the files to search, such as **/*.ts. Omit it to search all files.'),
  },
  title: () => t('Search text'),
  does: () => t('Finds the lines with a text in the files of the workspace.'),
  words: ({ query, files }) =>
    files === undefined
      ? t('search the workspace for “{0}”', shown(query))
      : t('search {1} for “{0}”', shown(query), shown(files)),
  run: async ({ query, files = '**/*' }, signal, proposed) => {
    const found = await search(query, files, signal);
    const globs = globsOf({ [files]: true }, false);
    const wanted: ProposedFile[] = [];
    for (const one of proposed.list()) {
      const isMeant = globs.checkEntry(vscode.workspace.asRelativePath(one.uri, false)) !== null;
      if (isMeant && (await one.has(query))) wanted.push(one);
    }
    return withProposed(found, wanted);
  },
});

/** The maximum number of files that are searched, and the maximum size of each. */
const maxFiles = 5_000;
const maxFileBytes = 1024 * 1024;
const maxRows = 300;
const maxParallelFiles = 8;

/**
 * Returns the lines of the workspace's files that contain a text, file by file. Excluded files are left out by their names,
 * before any file is read: the result must not depend on what they contain.
 */
async function search(query: string, files: string, signal: AbortSignal): Promise<ToolOutput> {
  const found = await vscode.workspace.findFiles(files, '**/{node_modules,.git}/**', maxFiles);
  const known: ReadFiles = new Map();
  const options: MakeOptions = { outside: 'refuse', known };
  const reasons = await whyFilesExcluded(
    found.map((file) => file.toString()),
    known,
  );
  const allowed = found.filter((_, index) => reasons[index] === null).sort((a, b) => (a.path < b.path ? -1 : 1));
  const leftOut = found.length - allowed.length;
  let count = 0;
  const perFile = await eachOf(allowed, maxParallelFiles, async (file) => {
    if (signal.aborted) throw abortedError();
    if (count > maxRows) return [];
    const text = await searchableText(file, maxFileBytes);
    if (!hasLine(text, query)) return [];
    const made = await makeContent([file], () => text, options);
    // The links of the file have changed since the files were checked.
    if (!made.ok) return [];
    const { lines, count: countHere } = linesIn(withoutSecrets(made.content), query, maxRows);
    count += countHere;
    const path = pathOf(file);
    return lines.map(({ line, start, end }) => ({
      uri: file,
      content: joinOf([`${path}:${line}: `, sliceOf(made.content, start, end)]),
    }));
  });
  const rows = perFile.flat().slice(0, maxRows);
  const notes = [
    ...(leftOut === 0 ? [] : [ownText`[left out: ${leftOut} files that may not be sent]`]),
    ...(found.length < maxFiles ? [] : [ownText`[only ${maxFiles} files were looked through: narrow them with files]`]),
    ...(count === rows.length ? [] : [ownText`[cut: ${count - rows.length} more]`]),
  ];
  return rowsOf(`search "${query}"`, rows, maxRows, notes);
}

/**
 * The text with a character that no text has in place of each one of its secrets: otherwise the result of a search would tell a
 * model whether a guessed beginning of a secret is right.
 */
function withoutSecrets({ text, marks }: Content): string {
  let hidden = '';
  let at = 0;
  for (const { start, end } of marks) {
    hidden += text.slice(at, start) + text.slice(start, end).replace(/./g, '\0');
    at = end;
  }
  return hidden + text.slice(at);
}
