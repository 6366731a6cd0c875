import { inSlices } from '../../gate/secrets/pace.ts';
import { append } from '../../util/append.ts';
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

/**
 * null for a folder outside the work tree of its repository (`core.worktree`): git lists other files there. Throws a ServiceError
 * if the folder is not in a repository, or if git does not answer in time (`ms`).
 */
export async function listFiles(place: GitPlace, ms?: number): Promise<GitListing | null> {
  const options = await excludesOptions(place);
  const [isInside, tracked, untracked, ignored] = await Promise.all([
    runGit(place, ['rev-parse', '--is-inside-work-tree'], '', ms),
    runGit(place, [...list, '-c', '-s'], '', ms),
    runGit(place, [...options, ...list, '-o', '--exclude-standard'], '', ms),
    runGit(place, [...options, ...list, '-o', '-i', '--exclude-standard', '--directory'], '', ms),
  ]);
  if (isInside.toString().trim() !== 'true') return null;
  return {
    tracked: await inSlices(namesIn(tracked, stagedName)),
    untracked: await inSlices(namesIn(untracked)),
    ignored: await inSlices(namesIn(ignored)),
  };
}

/** `<mode> <object> <stage>\t<name>`: the mode of another repository is 160000. */
function stagedName(entry: string): string {
  const name = entry.slice(entry.indexOf('\t') + 1);
  return entry.startsWith('160000 ') ? `${name}/` : name;
}

/** How much of an output is read between two pauses, in bytes. */
const sliceBytes = 128 * 1024;

/** Names are bytes: one that is not valid UTF-8 contains U+FFFD. Yields null where it may pause. */
function* namesIn(output: Buffer, nameOf = (entry: string) => entry): Generator<null, readonly string[]> {
  const names: string[] = [];
  for (let from = 0; from < output.length; ) {
    const end = output.indexOf(0, Math.min(from + sliceBytes, output.length - 1));
    if (end === -1) break;
    append(names, output.toString('utf8', from, end).split('\0').map(nameOf));
    from = end + 1;
    yield null;
  }
  return names;
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
  return (await inSlices(namesIn(output))).map((name) => name.slice('HEAD:'.length));
}
