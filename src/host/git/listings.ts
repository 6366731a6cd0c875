import { type GitPlace, runGit } from './run.ts';

/** No setting of a repository may start a program (core.fsmonitor), and names are not quoted with -z. */
const list = ['-c', 'core.fsmonitor=false', 'ls-files', '-z'];

/** The files below a folder of a repository as git lists them, relative to the folder, with `/`. */
export interface GitListing {
  /** Tracked files, and untracked ones that are not ignored. A path that ends with `/` is another repository. */
  readonly known: readonly string[];
  /** Ignored files. A path that ends with `/` is a folder that is ignored as a whole. */
  readonly ignored: readonly string[];
}

/** Throws a ServiceError if the folder is not in a repository. */
export async function listFiles(place: GitPlace): Promise<GitListing> {
  const [known, ignored] = await Promise.all([
    runGit(place, [...list, '-c', '-o', '--exclude-standard']),
    runGit(place, [...list, '-o', '-i', '--exclude-standard', '--directory']),
  ]);
  return { known: namesIn(known), ignored: namesIn(ignored) };
}

/** Names are bytes: one that is not valid UTF-8 contains U+FFFD. */
function namesIn(output: Buffer): readonly string[] {
  return output.toString('utf8').split('\0').slice(0, -1);
}
