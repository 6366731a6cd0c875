import { spawn } from 'node:child_process';
import type { Git } from '../provenance/repository/objects.ts';
import { UsageFault } from './usage.ts';

/** More than the objects that are read at once. */
const maxOutput = 256 * 1024 * 1024;

/**
 * Runs git in an unchecked repository: without a shell, without what its settings could start, without
 * objects that stand in for others, and without a network. Throws a {@link UsageFault} if it is not a repository.
 */
export async function gitIn(folder: string): Promise<Git> {
  const git: Git = (args, input = '') => run(folder, args, input);
  await git(['rev-parse', '--git-dir']).catch((error: Error) => {
    throw new UsageFault(`${folder}: ${error.message}`);
  });
  return git;
}

function run(folder: string, args: readonly string[], input: string): Promise<Buffer> {
  const safe = ['--no-replace-objects', '--no-optional-locks', '-c', 'protocol.allow=never', '-c', 'core.hooksPath='];
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...safe, ...args], { cwd: folder, env: environment(), windowsHide: true });
    const output: Buffer[] = [];
    let size = 0;
    let said = '';
    child.on('error', reject);
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxOutput) child.kill();
      else output.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (said.length < 1_000) said += chunk.toString();
    });
    child.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(output));
      else reject(new Error(said.split('\n')[0]?.trim() || `git ended with ${code}`));
    });
    // Git may end before it has read all input; the `close` event reports why.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

/** Variables of git could name another repository. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  return { ...Object.fromEntries(kept), LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_NO_LAZY_FETCH: '1' };
}
