import { startPlainGit } from '../../util/git/startGit.ts';
import type { Git } from '../provenance/repository/objects.ts';
import { stop } from './usage.ts';

/**
 * Runs git in a repository that is not trusted: without a shell, without programs that its settings name, without
 * replacement objects, and without a network. Throws a {@link UsageFault} if it is not a repository, or takes too long, in one
 * call or in all: a repository can make git wait forever, for example by a pipe as a file.
 */
export async function gitIn(folder: string, { callMs = 20_000, totalMs = 600_000 } = {}): Promise<Git> {
  const end = Date.now() + totalMs;
  const git: Git = (args, input = '') => {
    const left = end - Date.now();
    if (left <= 0) stop(`${folder}: comparing its notes takes more than ${totalMs / 60_000} minutes.`);
    return run(folder, args, input, Math.min(callMs, left));
  };
  await git(['rev-parse', '--git-dir']).catch((error: Error) => stop(`${folder}: ${error.message}`));
  return git;
}

async function run(folder: string, args: readonly string[], input: string, timeout: number): Promise<Buffer> {
  const start = { program: 'git', folder, args: ['--no-replace-objects', ...args], input };
  // 256 MiB are above the total size of the objects that are read with one call.
  const { output, reason, code } = await startPlainGit({ ...start, timeout, maxBytes: 2 ** 28 });
  if (code === null) stop(`${folder}: git takes too long, or prints too much.`);
  if (code !== 0) throw new Error(reason ?? `git ended with ${code}`);
  return output;
}
