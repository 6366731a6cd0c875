import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute } from 'node:path';
import type { Readable } from 'node:stream';
import type { Connection } from '../../../policy/connection.ts';
import { defaultTimeoutSeconds, type HelperCommand } from '../../../policy/managed/helperCommand.ts';
import { abortedError } from '../../../util/errors.ts';
import { killGroup } from '../../../util/processTree.ts';
import { HelperError, readSignIn, type SignIn } from './helperAnswer.ts';

/** The maximum size of the output, in bytes. */
const maxBytes = 64 * 1024;
/** The part of the standard error that is kept, in bytes: enough for the characters that a card shows. */
const maxErrorBytes = 4 * 1024;
/** The time in seconds that a user has to sign in on a page. */
const signInSeconds = 600;
/** The time for the rest of the output of a helper that has ended: a process that it leaves may keep the output open. */
const drainMs = 500;

interface HelperStart {
  readonly helper: HelperCommand;
  readonly connection: Connection;
  /** Takes what the helper prints. */
  readonly printed: Printed;
  /** Called when the helper asks the user to sign in on a page. */
  readonly onSignIn: (signIn: SignIn) => void;
}

/** The output of a helper so far. */
export interface Printed {
  /** The standard output, without a line that names a page to sign in on. */
  output: Buffer;
  errors: Buffer;
}

/**
 * Runs a credential helper without a shell until it ends. Throws a HelperError if it does not end well, and an aborted
 * ServiceError as soon as `signal` aborts: the helper and the processes that it started are then killed.
 */
export async function runHelper(start: HelperStart, signal: AbortSignal): Promise<void> {
  if (signal.aborted) throw abortedError();
  const child = startChild(start);
  try {
    await endOf(child, start, signal);
  } catch (error) {
    if (child.pid !== undefined) killGroup(child.pid);
    throw error;
  } finally {
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

function startChild({ helper, connection }: HelperStart): Child {
  const [program, ...args] = helper.command;
  // Another text is searched for in PATH.
  if (!isAbsolute(program)) throw new HelperError({ is: 'not-started', code: 'ENOENT' });
  const home = homedir();
  const cwd = existsSync(home) ? home : dirname(program);
  try {
    return spawn(program, args, {
      cwd,
      env: environment(connection, cwd),
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: false,
      windowsHide: true,
      // The helper leads a group, so that the processes that it starts can be killed with it.
      detached: process.platform !== 'win32',
    });
  } catch (error) {
    throw notStarted(error);
  }
}

const removed = /^(VSCODE_.*|ELECTRON_.*|SVC_API_KEY|SVC_BASE_URL|SVC_ORIGIN|PWD|OLDPWD|INIT_CWD)$/i;

/** The environment of the extension host, without what belongs to VS Code and without the folder in which it was started. */
function environment({ baseUrl, origin }: Connection, cwd: string): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !removed.test(name));
  return { ...Object.fromEntries(others), PWD: cwd, SVC_BASE_URL: baseUrl, SVC_ORIGIN: origin };
}

/** Resolves when the helper has ended with the code 0. */
function endOf(child: Child, { helper, printed, onSignIn }: HelperStart, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const { timeoutSeconds = defaultTimeoutSeconds } = helper;
  const limitTo = (seconds: number): NodeJS.Timeout =>
    setTimeout(() => reject(new HelperError({ is: 'late', seconds })), seconds * 1000);
  const onAbort = (): void => reject(abortedError());
  const onEnd = (code: number | null, name: NodeJS.Signals | null): void => {
    if (code === 0) resolve();
    else reject(new HelperError(code === null ? { is: 'signal', name: name ?? '' } : { is: 'exit', code }));
  };
  let limit = limitTo(timeoutSeconds);
  let drain: NodeJS.Timeout | undefined;
  let isFirstLine = true;
  child.stdout.on('data', (chunk: Buffer) => {
    printed.output = Buffer.concat([printed.output, chunk]);
    if (printed.output.length > maxBytes) return reject(new HelperError({ is: 'too-long' }));
    const end = isFirstLine ? printed.output.indexOf('\n') : -1;
    if (end < 0) return;
    isFirstLine = false;
    try {
      const signIn = readSignIn(printed.output.subarray(0, end));
      if (signIn === null) return;
      printed.output = printed.output.subarray(end + 1);
      clearTimeout(limit);
      limit = limitTo(signInSeconds);
      onSignIn(signIn);
    } catch (error) {
      reject(error);
    }
  });
  child.stderr.on('data', (chunk: Buffer) => {
    printed.errors = Buffer.concat([printed.errors, chunk]).subarray(0, maxErrorBytes);
  });
  child.on('error', (error) => reject(notStarted(error)));
  child.on('close', onEnd);
  child.on('exit', (...end) => {
    drain = setTimeout(onEnd, drainMs, ...end);
  });
  signal.addEventListener('abort', onAbort, { once: true });
  return promise.finally(() => {
    clearTimeout(limit);
    clearTimeout(drain);
    signal.removeEventListener('abort', onAbort);
  });
}

function notStarted(error: unknown): HelperError {
  return new HelperError({ is: 'not-started', code: (error as NodeJS.ErrnoException).code ?? 'unknown' });
}
