import { startGit } from '../../util/git/startGit.ts';
import type { Git } from '../provenance/repository/objects.ts';
import { UsageFault } from './usage.ts';

/** More than the total size of the objects that are read at once. Bytes. */
const maxOutput = 256 * 1024 * 1024;
/** A repository can make git wait for ever, for example by a pipe in place of a file. */
const maxMs = 10 * 60_000;

/**
 * Runs git in a repository that is not trusted: without a shell, without programs that its settings name, without
 * replacement objects, and without a network. Throws a {@link UsageFault} if it is not a repository.
 */
export async function gitIn(folder: string): Promise<Git> {
  const git: Git = (args, input = '') => run(folder, args, input);
  await git(['rev-parse', '--git-dir']).catch((error: Error) => {
    throw new UsageFault(`${folder}: ${error.message}`);
  });
  return git;
}

async function run(folder: string, args: readonly string[], input: string): Promise<Buffer> {
  const start = { program: 'git', folder, args: ['--no-replace-objects', ...args], input };
  const { output, reason, code } = await startGit({ ...start, timeout: maxMs, maxBytes: maxOutput });
  if (code !== 0) throw new Error(reason ?? `git ended with ${code}`);
  return output;
}
