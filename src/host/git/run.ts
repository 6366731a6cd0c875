import { spawn } from 'node:child_process';
import { type GitEnd, ServiceError } from '../../util/errors.ts';

/** The git program and the folder of the repository in which it runs. */
export interface GitPlace {
  readonly program: string;
  readonly folder: string;
}

/** Enough for a listing of one million files. Bytes. */
const maxOutput = 128 * 1024 * 1024;
const maxMs = 60_000;

/**
 * Runs git with `input` on its standard input and returns its standard output. Use it only for machine-readable formats
 * whose names end with NUL and which no setting changes. Do not use commands for which the settings of the user or of a
 * repository can start programs (external diff, textconv). Throws a ServiceError `git-failed` with git's own reason,
 * or with how it ended.
 */
export function runGit(
  { program, folder }: GitPlace,
  args: readonly string[],
  input = '',
  timeout = maxMs,
): Promise<Buffer> {
  const env = {
    ...process.env,
    LC_ALL: 'C',
    // Git must not take a lock that blocks what the user does meanwhile, and must not prompt: no terminal shows the
    // prompt.
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
  };
  return new Promise((resolve, reject) => {
    // A repository can name a program there, which git would start.
    const all = ['-c', 'core.fsmonitor=false', ...args];
    const child = spawn(program, all, { cwd: folder, env, windowsHide: true, timeout });
    const output: Buffer[] = [];
    let size = 0;
    let said = '';
    const fail = (git: GitEnd, cause?: unknown): void => {
      const reason = said.split('\n')[0]?.trim() || undefined;
      reject(
        new ServiceError('gate', `Git failed (${endOf(git)}).`, {
          code: 'git-failed',
          reason,
          details: { git },
          cause,
        }),
      );
    };
    child.on('error', (error: NodeJS.ErrnoException) =>
      fail({ is: 'not-started', code: error.code ?? error.name }, error),
    );
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
      else fail(signal === null ? { is: 'exit', code: code ?? 0 } : { is: 'signal', name: signal });
    });
    // Git may exit before it has read all input; the `close` event reports why.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

function endOf(end: GitEnd): string {
  if (end.is === 'exit') return `exit code ${end.code}`;
  return end.is === 'signal' ? end.name : end.code;
}
