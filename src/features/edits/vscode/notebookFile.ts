import type * as vscode from 'vscode';
import { readNotebook } from '../../../platform/sources/notebookText.ts';
import { type Hunk, withHunk } from './hunks.ts';
import type { Proposal } from './proposal.ts';

/** Whether a file is a notebook by its name. A cell has the path of its notebook, and is not its file. */
export function isNotebookFile({ scheme, path }: vscode.Uri): boolean {
  return scheme !== 'vscode-notebook-cell' && /\.ipynb$/i.test(path);
}

/** Whether a text would make a file, by its name that of a notebook, one that no editor can open. */
export function isBrokenNotebook(file: vscode.Uri, text: string): boolean {
  return isNotebookFile(file) && readNotebook(text) === null;
}

/** Whether hunks of a proposal would make a file that no editor can open as a notebook, where it is one or is new. */
export function breaksNotebook({ target, draft }: Proposal, hunks: readonly Hunk[]): boolean {
  if (target.kind === 'untitled') return false;
  const uri = target.kind === 'file' ? target.uri : target.document.uri;
  if (!isNotebookFile(uri)) return false;
  const { original, proposed } = draft;
  if (target.kind === 'document' && readNotebook(original.join('\n')) === null) return false;
  // The last hunk is applied first: the line numbers of the others stay valid.
  const after = [...hunks]
    .sort((a, b) => b.start - a.start)
    .reduce((lines, hunk) => withHunk(lines, proposed, hunk), original);
  return isBrokenNotebook(uri, after.join('\n'));
}
