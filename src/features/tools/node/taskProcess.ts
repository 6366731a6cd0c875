import { spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { endTree, graceTime, killGroup } from '../../../util/processTree.ts';

/** A program, or a command line for the system's shell. */
interface TaskStart {
  readonly command: string;
  /** The arguments of a program; undefined for a command line. */
  readonly args?: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The time limit in milliseconds. */
  readonly timeout: number;
}

export interface TaskEnd {
  /** The exit code; null if it was ended by a signal. */
  readonly code: number | null;
  /** The reason why it was ended. */
  readonly ended?: 'time' | 'user';
}

/** A running task. It has no input, and starts as the leader of a group, so that all that it starts can be ended with it. */
export class TaskProcess {
  /** Resolves when the task and its output have ended. Rejects if it could not be started. */
  readonly done: Promise<TaskEnd>;
  readonly #child;
  #ended: TaskEnd['ended'];
  #ending: Promise<void> | undefined;

  constructor({ command, args, cwd, env, timeout }: TaskStart, onOutput: (text: string) => void) {
    const options = {
      ...{ cwd, env, shell: args === undefined, windowsHide: true },
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe'] satisfies ['ignore', 'pipe', 'pipe'],
    };
    this.#child = spawn(command, args ?? [], options);
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      const decoder = new StringDecoder('utf8');
      stream.on('data', (chunk: Buffer) => onOutput(decoder.write(chunk)));
      stream.on('end', () => onOutput(decoder.end()));
      // Its own end says why.
      stream.on('error', () => undefined);
    }
    const limit = setTimeout(() => void this.#end('time'), timeout);
    this.done = this.#whenDone().finally(() => clearTimeout(limit));
    this.done.catch(() => undefined);
  }

  /** Ends the task with all that it has started. */
  stop(): Promise<void> {
    return this.#end('user');
  }

  /** Ends the task immediately, when there is no time left. */
  kill(): void {
    if (this.#child.pid !== undefined) killGroup(this.#child.pid);
  }

  async #whenDone(): Promise<TaskEnd> {
    const child = this.#child;
    const { promise, resolve, reject } = Promise.withResolvers<number | null>();
    child.on('error', reject);
    child.on('exit', () => void this.#endRest());
    child.on('close', resolve);
    const code = await promise;
    return { code, ...(this.#ended === undefined ? {} : { ended: this.#ended }) };
  }

  async #end(why: NonNullable<TaskEnd['ended']>): Promise<void> {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    this.#ended ??= why;
    this.#ending ??= endTree(pid);
    await this.#ending;
  }

  /** Ends what the task has left behind in its group. Output that something else still holds open is not waited for. */
  async #endRest(): Promise<void> {
    const { pid, stdout, stderr } = this.#child;
    if (pid === undefined || process.platform === 'win32') return;
    if (hasGroup(pid)) this.#ending ??= endTree(pid);
    await this.#ending;
    if (stdout.closed && stderr.closed) return;
    const limit = setTimeout(() => {
      stdout.destroy();
      stderr.destroy();
    }, graceTime);
    this.#child.on('close', () => clearTimeout(limit));
  }
}

function hasGroup(pid: number): boolean {
  try {
    return process.kill(-pid, 0);
  } catch {
    return false;
  }
}
