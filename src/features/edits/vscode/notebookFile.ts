import type * as vscode from 'vscode';
import { readNotebook } from '../../../platform/sources/notebookText.ts';
import { type Hunk, withHunks } from '../common/hunks.ts';
import type { Proposal } from './proposal.ts';

/**
 * Whether a file is a notebook according to its name. A cell has the path of its notebook, but is not a notebook file.
 */
export function isNotebookFile({ scheme, path }: vscode.Uri): boolean {
  return scheme !== 'vscode-notebook-cell' && /\.ipynb$/i.test(path);
}

/** Whether a text would make a file with the name of a notebook unreadable for every editor. */
export function isBrokenNotebook(file: vscode.Uri, text: string): boolean {
  return isNotebookFile(file) && readNotebook(text) === null;
}

/** Whether hunks of a proposal would make a notebook, or a new file with its name, unreadable for every editor. */
export function breaksNotebook({ target, draft }: Proposal, hunks: readonly Hunk[]): boolean {
  if (target.kind === 'untitled') return false;
  const uri = target.kind === 'file' ? target.uri : target.document.uri;
  if (!isNotebookFile(uri)) return false;
  const { original, proposed } = draft;
  if (target.kind === 'document' && readNotebook(original.join('\n')) === null) return false;
  return isBrokenNotebook(uri, withHunks(original, proposed, hunks).join('\n'));
}
