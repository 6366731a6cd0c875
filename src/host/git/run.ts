import { spawn } from 'node:child_process';
import { ServiceError } from '../../util/errors.ts';

/** Where git is asked: the program, and the folder of the repository. */
export interface GitPlace {
  readonly program: string;
  readonly folder: string;
}

/** More than a listing of a million files. */
const maxOutput = 128 * 1024 * 1024;
const maxMs = 60_000;

/**
 * What git prints, `input` given to it. Only for its machine formats, whose names end with NUL and no setting changes:
 * nothing that the user's settings, or those of a repository, could have programs do (an external diff, textconv).
 * Throws a ServiceError `git-failed` with git's own reason.
 */
export function runGit({ program, folder }: GitPlace, args: readonly string[], input = ''): Promise<Buffer> {
  const env = {
    ...process.env,
    LC_ALL: 'C',
    // Neither a lock that stands in the way of what the user does meanwhile, nor a question that nobody sees.
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
  };
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], { cwd: folder, env, windowsHide: true, timeout: maxMs });
    const output: Buffer[] = [];
    let size = 0;
    let said = '';
    const fail = (reason: string, cause?: unknown): void =>
      reject(new ServiceError('gate', 'Git failed.', { code: 'git-failed', reason, cause }));
    child.on('error', (error) => fail(error.message, error));
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxOutput) child.kill();
      else output.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (said.length < 1_000) said += chunk.toString();
    });
    child.on('close', (code, signal) => {
      if (code === 0) resolve(Buffer.concat(output));
      else fail(said.split('\n')[0]?.trim() || (signal ?? `exit code ${code}`));
    });
    // It may have ended before it read everything: `close` says why.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}
