import { type GitPlace, runGit } from './run.ts';

/** The first lines of the last `count` commit messages, the newest first; empty without a commit, or if git fails. */
export async function lastSubjects(place: GitPlace, count: number): Promise<readonly string[]> {
  const log = ['log', '-z', `--max-count=${count}`, '--format=%s', '--no-show-signature'];
  const output = await runGit(place, log).catch(() => Buffer.alloc(0));
  return output
    .toString()
    .split('\0')
    .filter((subject) => subject !== '');
}
