import { excludesOptions } from './excludesFile.ts';
import { type GitPlace, runGit } from './run.ts';

/** Names are not quoted. */
const list = ['ls-files', '-z'];

/** The files below a folder of a repository as git lists them, relative to the folder, with `/`. */
export interface GitListing {
  /** A path that ends with `/` is another repository. */
  readonly tracked: readonly string[];
  /** Neither tracked nor ignored. A path that ends with `/` is another repository. */
  readonly untracked: readonly string[];
  /** A path that ends with `/` is a folder that is ignored as a whole. */
  readonly ignored: readonly string[];
}

/** Throws a ServiceError if the folder is not in a repository. */
export async function listFiles(place: GitPlace): Promise<GitListing> {
  const options = await excludesOptions(place);
  const [tracked, untracked, ignored] = await Promise.all([
    runGit(place, [...list, '-c', '-s']),
    runGit(place, [...options, ...list, '-o', '--exclude-standard']),
    runGit(place, [...options, ...list, '-o', '-i', '--exclude-standard', '--directory']),
  ]);
  return { tracked: stagedIn(tracked), untracked: namesIn(untracked), ignored: namesIn(ignored) };
}

/** The tracked files that the files of this name exclude, which are in the format of `.gitignore`. */
export async function trackedBut(place: GitPlace, ignoreFile: string): Promise<readonly string[]> {
  return namesIn(await runGit(place, [...list, '-c', '-i', `--exclude-per-directory=${ignoreFile}`]));
}

/** The tracked files that git would ignore if they were not tracked. */
export async function trackedIgnored(place: GitPlace): Promise<readonly string[]> {
  const options = await excludesOptions(place);
  return namesIn(await runGit(place, [...options, ...list, '-c', '-i', '--exclude-standard']));
}

/** `<mode> <object> <stage>\t<name>`: the mode of another repository is 160000. */
function stagedIn(output: Buffer): readonly string[] {
  return namesIn(output).map((entry) => {
    const name = entry.slice(entry.indexOf('\t') + 1);
    return entry.startsWith('160000 ') ? `${name}/` : name;
  });
}

/** Names are bytes: one that is not valid UTF-8 contains U+FFFD. */
function namesIn(output: Buffer): readonly string[] {
  return output.toString('utf8').split('\0').slice(0, -1);
}

/** How long a search may take, in milliseconds. */
const mostMs = 3_000;
/** Git searches for each line of a command in each line of each file. */
const linesAtATime = 200;

/**
 * The files of the last commit below a folder that have each of these lines, relative to the folder. Throws a ServiceError
 * if git finds no file for some of them, or does not answer in time.
 */
export async function committedWith(place: GitPlace, lines: readonly string[]): Promise<readonly string[]> {
  const until = performance.now() + mostMs;
  const few = (from: number) => committedWithFew(place, lines.slice(from, from + linesAtATime), until);
  let found = await few(0);
  for (let from = linesAtATime; found.length > 0 && from < lines.length; from += linesAtATime) {
    const next = new Set(await few(from));
    found = found.filter((name) => next.has(name));
  }
  return found;
}

async function committedWithFew(place: GitPlace, lines: readonly string[], until: number): Promise<readonly string[]> {
  const options = ['-l', '-z', '-I', '-F', '--all-match', '--no-color', '--no-textconv'];
  const grep = ['grep', ...options, '--no-recurse-submodules', '-f', '-', 'HEAD'];
  // A time-out of 0 would be none.
  const ms = Math.max(1, Math.floor(until - performance.now()));
  const output = await runGit(place, grep, lines.map((line) => `${line}\n`).join(''), ms);
  return namesIn(output).map((name) => name.slice('HEAD:'.length));
}
