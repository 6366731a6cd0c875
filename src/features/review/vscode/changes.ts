import * as vscode from 'vscode';
import { gitStateOfFolders } from '../../../platform/git/api.ts';
import { type Change, specialKind } from '../../../platform/git/changes.ts';
import { listChanges } from '../../../platform/git/listChanges.ts';
import { VersionReader } from '../../../platform/git/versionText.ts';
import { filesBehind } from '../../../platform/sources/behind.ts';
import { outsideOf, type ReadFiles } from '../../../platform/sources/ignored/exclusions.ts';
import type { NotReviewed } from '../../../review/report.ts';
import { eachOf } from '../../context/vscode/gather.ts';
import { placeOf } from '../../context/vscode/git/diffs.ts';
import { fileDiff } from '../../context/vscode/git/fileDiff.ts';
import { maxFiles } from './choose.ts';
import type { ReviewTarget } from './plan.ts';
import { nameOf, readTargets, type Targets } from './targets.ts';

/** The maximum number of files that are compared at the same time. */
const maxParallel = 6;

/** A file that differs from the last commit, staged or not. */
interface ChangedFile {
  readonly uri: vscode.Uri;
  readonly change: Change;
  /** The root URI of its repository. */
  readonly root: vscode.Uri;
  readonly reader: VersionReader;
}

export interface Changed {
  readonly files: readonly ChangedFile[];
  /** Changes without text, which cannot be reviewed. */
  readonly gaps: readonly NotReviewed[];
}

/**
 * The files that differ from the last commit in all repositories of the workspace; Returns null without git. Deleted
 * files are left out, because there is nothing to review. Throws a ServiceError `git-failed`.
 */
export async function changedFiles(): Promise<Changed | null> {
  const state = await gitStateOfFolders();
  if (state.is === 'off') return null;
  const files = new Map<string, ChangedFile>();
  const gaps: NotReviewed[] = [];
  for (const repository of state.is === 'ready' ? state.repositories : []) {
    const place = placeOf(state.is === 'ready' ? state.program : '', repository);
    const changes = await listChanges(place, 'with-untracked');
    const reader = await VersionReader.of(place, changes);
    for (const change of changes) {
      if (change.after === null) continue;
      const uri = vscode.Uri.joinPath(repository.rootUri, change.after.path);
      // The repository may extend beyond the workspace.
      if (outsideOf(await filesBehind(uri)) !== null) continue;
      const reason = specialKind(change);
      if (reason !== null) gaps.push({ file: nameOf(uri), reason, isPartial: false });
      else if (files.size >= maxFiles) gaps.push({ file: nameOf(uri), reason: 'beyond-limit', isPartial: false });
      else files.set(uri.toString(), { uri, change, root: repository.rootUri, reader });
    }
  }
  return { files: [...files.values()], gaps };
}

/**
 * Reads the files that may be sent, as they are in the editor, with their changes. A moved file is left out if its old
 * name must not be sent.
 */
export async function readChanged({ files, gaps }: Changed, signal: AbortSignal): Promise<Targets> {
  const uris = files.map(({ uri }) => uri);
  const read = await readTargets(uris, signal);
  const byUri = new Map(files.map((file) => [file.uri.toString(), file]));
  const known: ReadFiles = new Map();
  const compared = await eachOf(read.targets, maxParallel, async (target) => {
    const file = byUri.get(target.uri);
    return file === undefined ? target : withChanges(target, file, known);
  });
  return {
    targets: compared.filter((one) => typeof one === 'object'),
    excluded: read.excluded + compared.filter((one) => one === 'excluded').length,
    gaps: [...gaps, ...read.gaps],
  };
}

/**
 * Adds the changes of a file. A new file has changed as a whole, and so has a file whose earlier version is not text.
 */
async function withChanges(
  target: ReviewTarget,
  { change, root, reader }: ChangedFile,
  known: ReadFiles,
): Promise<ReviewTarget | 'excluded' | 'same'> {
  const asWhole = { ...target, changes: { diff: null, lines: [{ first: 1, last: Number.MAX_SAFE_INTEGER }] } };
  if (change.before === null) return asWhole;
  const made = await fileDiff(change, {
    root,
    // Compares with the text under review, because the editor may have unsaved changes.
    reader: { read: async (version, uri) => (version?.oid === null ? target.content : reader.read(version, uri)) },
    known,
    isStaged: false,
  });
  if (made !== null && 'reason' in made) return made.reason === 'excluded' ? 'excluded' : asWhole;
  if (made === null || made.changed.length === 0) return 'same';
  return { ...target, changes: { diff: made.diff, lines: made.changed } };
}
