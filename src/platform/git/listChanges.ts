import { type Change, type ChangeKind, changesIn } from './changes.ts';
import { excludesOptions } from './excludesFile.ts';
import { type GitPlace, runGit } from './run.ts';
import { parseStatus, statusArguments } from './status.ts';

/** Lists the changes of a repository. Throws a ServiceError `git-failed`. */
export async function listChanges(place: GitPlace, kind: ChangeKind): Promise<readonly Change[]> {
  const options = await excludesOptions(place);
  return changesIn(parseStatus(await runGit(place, [...options, ...statusArguments(kind === 'with-untracked')])), kind);
}
