import { type GitPlace, runGit } from './run.ts';

/** Names are not quoted. */
const list = ['ls-files', '-z'];

/** The files below a folder of a repository as git lists them, relative to the folder, with `/`. */
export interface GitListing {
  readonly tracked: readonly string[];
  /** Neither tracked nor ignored. A path that ends with `/` is another repository. */
  readonly untracked: readonly string[];
  /** A path that ends with `/` is a folder that is ignored as a whole. */
  readonly ignored: readonly string[];
}

/** Throws a ServiceError if the folder is not in a repository. */
export async function listFiles(place: GitPlace): Promise<GitListing> {
  const [tracked, untracked, ignored] = await Promise.all([
    runGit(place, [...list, '-c']),
    runGit(place, [...list, '-o', '--exclude-standard']),
    runGit(place, [...list, '-o', '-i', '--exclude-standard', '--directory']),
  ]);
  return { tracked: namesIn(tracked), untracked: namesIn(untracked), ignored: namesIn(ignored) };
}

/** The tracked files that the files of this name exclude, which are in the format of `.gitignore`. */
export async function trackedBut(place: GitPlace, ignoreFile: string): Promise<readonly string[]> {
  return namesIn(await runGit(place, [...list, '-c', '-i', `--exclude-per-directory=${ignoreFile}`]));
}

/** Names are bytes: one that is not valid UTF-8 contains U+FFFD. */
function namesIn(output: Buffer): readonly string[] {
  return output.toString('utf8').split('\0').slice(0, -1);
}

/** How long a search may take, in milliseconds. */
const mostMs = 3_000;

/**
 * The files of the last commit below a folder that have each of these lines, relative to the folder. Throws a ServiceError
 * if there are none.
 */
export async function committedWith(place: GitPlace, lines: readonly string[]): Promise<readonly string[]> {
  const options = ['-l', '-z', '-I', '-F', '--all-match', '--no-color', '--no-textconv'];
  const grep = ['grep', ...options, '--no-recurse-submodules', '-f', '-', 'HEAD'];
  const output = await runGit(place, grep, lines.map((line) => `${line}\n`).join(''), mostMs);
  return namesIn(output).map((name) => name.slice('HEAD:'.length));
}
