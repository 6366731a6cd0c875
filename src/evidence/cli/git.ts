import { spawn } from 'node:child_process';
import { childOutput } from '../../util/childOutput.ts';
import type { Git } from '../provenance/repository/objects.ts';
import { UsageFault } from './usage.ts';

/** More than the total size of the objects that are read at once. Bytes. */
const maxOutput = 256 * 1024 * 1024;

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
  const safe = ['--no-replace-objects', '--no-optional-locks', '-c', 'protocol.allow=never', '-c', 'core.hooksPath='];
  const child = spawn('git', [...safe, ...args], { cwd: folder, env: environment(), windowsHide: true });
  const { output, reason, code } = await childOutput(child, input, maxOutput);
  if (code !== 0) throw new Error(reason ?? `git ended with ${code}`);
  return output;
}

/** Without git's own variables, which could name another repository. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  return { ...Object.fromEntries(kept), LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_NO_LAZY_FETCH: '1' };
}
