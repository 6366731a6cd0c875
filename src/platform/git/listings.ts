import { inSlices } from '../../gate/secrets/pace.ts';
import { append } from '../../util/append.ts';
import { excludesOptions } from './excludesFile.ts';
import { type GitPlace, runGit } from './run.ts';

/** The arguments that list files. With `-z`, names are not quoted. */
const list = ['ls-files', '-z'];

/** The files below a folder of a repository as git lists them, relative to the folder, with `/`. */
export interface GitListing {
  /** The tracked files. A path that ends with `/` is another repository. */
  readonly tracked: readonly string[];
  /** The files that are neither tracked nor ignored. A path that ends with `/` is another repository. */
  readonly untracked: readonly string[];
  /** The ignored files. A path that ends with `/` is a folder that is ignored as a whole. */
  readonly ignored: readonly string[];
}

/**
 * Lists the files of a folder. Returns null if the folder is outside the work tree of its repository (`core.worktree`),
 * because git then lists other files. Throws a ServiceError if the folder is not in a repository, or if git does not answer
 * in time (`ms`).
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

/** Returns the name in an entry `<mode> <object> <stage>\t<name>`, with `/` for another repository, whose mode is 160000. */
function stagedName(entry: string): string {
  const name = entry.slice(entry.indexOf('\t') + 1);
  return entry.startsWith('160000 ') ? `${name}/` : name;
}

/** The number of bytes of an output that are read between two pauses. */
const sliceBytes = 128 * 1024;

/**
 * Returns the names in an output. Names are bytes: a name that is not valid UTF-8 contains U+FFFD. Yields null whenever the
 * caller may pause.
 */
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

/** The time limit of a search in milliseconds. */
const maxMs = 3_000;
/** The number of lines per command, because git searches for each of them in each line of each file. */
const linesAtATime = 200;

/**
 * Returns the files of the last commit below a folder that contain all these lines, also as parts of lines, relative to the
 * folder. Throws a ServiceError if git finds no file for some of the lines, or does not answer in time.
 */
export async function committedWith(place: GitPlace, lines: readonly string[]): Promise<readonly string[]> {
  const until = performance.now() + maxMs;
  const searchFrom = (from: number) => committedWithFew(place, lines.slice(from, from + linesAtATime), until);
  let found = await searchFrom(0);
  for (let from = linesAtATime; found.length > 0 && from < lines.length; from += linesAtATime) {
    const next = new Set(await searchFrom(from));
    found = found.filter((name) => next.has(name));
  }
  return found;
}

async function committedWithFew(place: GitPlace, lines: readonly string[], until: number): Promise<readonly string[]> {
  const options = ['-l', '-z', '-I', '-F', '--all-match', '--no-color', '--no-textconv'];
  const grep = ['grep', ...options, '--no-recurse-submodules', '-f', '-', 'HEAD'];
  // A timeout of 0 would mean no timeout.
  const ms = Math.max(1, Math.floor(until - performance.now()));
  const output = await runGit(place, grep, lines.map((line) => `${line}\n`).join(''), ms);
  return (await inSlices(namesIn(output))).map((name) => name.slice('HEAD:'.length));
}

/**
 * Returns the bytes of a file in the last commit. `path` is relative to the folder. Throws a ServiceError if the file is not in
 * the commit, or if git does not answer in time (`ms`).
 */
export function committedBytes(place: GitPlace, path: string, ms: number): Promise<Buffer> {
  return runGit(place, ['cat-file', 'blob', `HEAD:./${path}`], '', ms);
}
