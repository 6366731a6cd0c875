import * as vscode from 'vscode';
import { languageOf } from '../../review/languages.ts';
import type { Gap, NotReviewed } from '../../review/report.ts';
import { abortedError } from '../../util/errors.ts';
import { folderOf } from '../settingsReader.ts';
import type { ReviewParts } from './parts.ts';
import type { ReviewTarget } from './plan.ts';

/** A larger file is no source that a person wrote, or nothing that a review of it could be read of. */
export const maxFile = 1024 * 1024;

export function targetOf(document: vscode.TextDocument): ReviewTarget {
  return {
    name: nameOf(document.uri),
    uri: document.uri.toString(),
    languageId: document.languageId,
    text: document.getText(),
    folder: folderOf(document.uri),
  };
}

export function nameOf(uri: vscode.Uri): string {
  return uri.scheme === 'untitled' ? uri.path : vscode.workspace.asRelativePath(uri);
}

/** What may be reviewed of some files, and what of them may not or cannot, by name. Rejects where the person cancels. */
export async function readTargets(
  uris: readonly vscode.Uri[],
  exclusion: ReviewParts['exclusion'],
  signal: AbortSignal,
): Promise<{
  readonly targets: readonly ReviewTarget[];
  readonly excluded: number;
  readonly gaps: readonly NotReviewed[];
}> {
  const targets: ReviewTarget[] = [];
  const gaps: NotReviewed[] = [];
  let excluded = 0;
  for (const uri of uris) {
    if (signal.aborted) throw abortedError();
    // Before a byte of it is read.
    if ((await exclusion({ uri: uri.toString() })) !== null) {
      excluded += 1;
      continue;
    }
    const read = await readTarget(uri);
    if ('reason' in read) gaps.push({ ...read, file: nameOf(uri), isPartial: false });
    else if (read.text.trim() !== '') targets.push(read);
  }
  return { targets, excluded, gaps };
}

async function readTarget(uri: vscode.Uri): Promise<ReviewTarget | Gap> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open !== undefined) return open.getText().length > maxFile ? { reason: 'too-large' } : targetOf(open);
  try {
    if ((await vscode.workspace.fs.stat(uri)).size > maxFile) return { reason: 'too-large' };
    const bytes = await vscode.workspace.fs.readFile(uri);
    if (bytes.subarray(0, 8192).includes(0)) return { reason: 'binary' };
    // As VS Code does when it opens a file: without the mark of the byte order.
    const text = new TextDecoder('utf-8', { ignoreBOM: false }).decode(bytes);
    return { name: nameOf(uri), uri: uri.toString(), languageId: languageOf(uri.path), text, folder: folderOf(uri) };
  } catch {
    return { reason: 'unreadable' };
  }
}
