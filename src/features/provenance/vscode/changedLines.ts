import * as vscode from 'vscode';
import { addedLines } from '../../../evidence/provenance/addedLines.ts';
import type { AddedLines } from '../../../evidence/provenance/matchEdits.ts';
import type { GitRepository } from '../../../platform/git/api.ts';
import { specialKind } from '../../../platform/git/changes.ts';
import { listChanges } from '../../../platform/git/listChanges.ts';
import { VersionReader } from '../../../platform/git/versionText.ts';
import { maxFiles, placeOf } from '../../context/vscode/git/diffs.ts';

/**
 * Returns the lines that the next commit adds: the staged lines, or, if nothing is staged, the changes of all tracked files.
 */
export async function linesToCommit(program: string, repository: GitRepository): Promise<readonly AddedLines[]> {
  const place = placeOf(program, repository);
  const staged = await listChanges(place, 'staged');
  const all = staged.length > 0 ? staged : await listChanges(place, 'all');
  const changes = all.filter((change) => change.after !== null && specialKind(change) === null).slice(0, maxFiles);
  const reader = await VersionReader.of(place, changes);
  const found: AddedLines[] = [];
  for (const { before, after } of changes) {
    const path = after?.path ?? '';
    const uri = vscode.Uri.joinPath(repository.rootUri, path);
    const [old, current] = [await reader.read(before, uri), await reader.read(after, uri)];
    if ('reason' in old || 'reason' in current) continue;
    const { lines } = addedLines(old.text, current.text);
    if (lines.length > 0) found.push({ path, lines });
  }
  return found;
}
