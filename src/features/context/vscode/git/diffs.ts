import type { GitRepository } from '../../../../platform/git/api.ts';
import type { ChangeKind } from '../../../../platform/git/changes.ts';
import { listChanges } from '../../../../platform/git/listChanges.ts';
import type { GitPlace } from '../../../../platform/git/run.ts';
import { VersionReader } from '../../../../platform/git/versionText.ts';
import { eachOf } from '../gather.ts';
import { type FileDiff, fileDiff, type LeftOut } from './fileDiff.ts';

export interface Diffs {
  readonly files: readonly FileDiff[];
  readonly leftOut: readonly LeftOut[];
  /** The number of further files that differ and were not read. */
  readonly beyond: number;
}

/** The maximum number of files for which diffs are made. */
export const maxFiles = 300;
/** The maximum length of all diffs in characters: far more than a request accepts. Further files are not read. */
const maxText = 4 * 1024 * 1024;
/** The maximum number of concurrent git processes. */
const maxParallel = 6;

export function placeOf(program: string, { rootUri }: Pick<GitRepository, 'rootUri'>): GitPlace {
  return { program, folder: rootUri.fsPath };
}

/**
 * The differences in a repository, file by file. Each diff is made from two whole versions; the gate checks their
 * names. Files of the working tree are read from the disk. Throws a ServiceError `git-failed`.
 */
export async function readDiffs(
  program: string,
  repository: Pick<GitRepository, 'rootUri'>,
  kind: ChangeKind,
): Promise<Diffs> {
  const place = placeOf(program, repository);
  const changes = await listChanges(place, kind);
  const wanted = changes.slice(0, maxFiles);
  const reader = await VersionReader.of(place, wanted);
  const parts = { root: repository.rootUri, reader, known: new Map(), isStaged: kind === 'staged' };
  const files: FileDiff[] = [];
  const leftOut: LeftOut[] = [];
  let size = 0;
  let looked = 0;
  for (; looked < wanted.length && size <= maxText; looked += maxParallel) {
    const some = wanted.slice(looked, looked + maxParallel);
    const made = await eachOf(some, maxParallel, (change) => fileDiff(change, parts));
    for (const one of made) {
      if (one === null) continue;
      if ('reason' in one) leftOut.push(one);
      else {
        files.push(one);
        size += one.diff.text.length;
      }
    }
  }
  return { files, leftOut, beyond: changes.length - Math.min(looked, wanted.length) };
}
