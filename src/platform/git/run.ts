import { type ProcessEnd, ServiceError } from '../../util/errors.ts';
import { startGit } from '../../util/git/startGit.ts';

/** The git program and the folder of the repository in which it runs. */
export interface GitPlace {
  readonly program: string;
  readonly folder: string;
}

/** The maximum size of an output in bytes, which is enough for a listing of one million files. */
const maxOutput = 128 * 1024 * 1024;
const maxMs = 60_000;

/**
 * Runs git with `input` on its standard input and returns its standard output. Use it only for machine-readable formats
 * whose names end with NUL. Throws a ServiceError `git-failed` with git's own reason, or with its exit code or signal.
 */
export async function runGit(
  { program, folder }: GitPlace,
  args: readonly string[],
  input = '',
  timeout = maxMs,
): Promise<Buffer> {
  const ended = startGit({ program, folder, args, input, timeout, maxBytes: maxOutput });
  const { output, reason, code, signal } = await ended.catch((error: NodeJS.ErrnoException) => {
    throw gitFailed({ is: 'not-started', code: error.code ?? error.name }, undefined, error);
  });
  if (code === 0) return output;
  throw gitFailed(signal === null ? { is: 'exit', code: code ?? 0 } : { is: 'signal', name: signal }, reason);
}

function gitFailed(git: ProcessEnd, reason: string | undefined, cause?: unknown): ServiceError {
  return new ServiceError('gate', `Git failed (${endOf(git)}).`, {
    code: 'git-failed',
    reason,
    details: { git },
    cause,
  });
}

function endOf(end: ProcessEnd): string {
  if (end.is === 'exit') return `exit code ${end.code}`;
  return end.is === 'signal' ? end.name : end.code;
}
