import type { ChildProcessWithoutNullStreams } from 'node:child_process';

export interface ChildEnd {
  readonly output: Buffer;
  /** The first line that the process wrote to standard error. */
  readonly reason: string | undefined;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * Writes `input` to a child process, and collects its output until it ends. Kills it if it writes more than `maxBytes`.
 * Rejects if it could not be started.
 */
export function childOutput(child: ChildProcessWithoutNullStreams, input: string, maxBytes: number): Promise<ChildEnd> {
  return new Promise((resolve, reject) => {
    const output: Buffer[] = [];
    let size = 0;
    let errors = '';
    child.on('error', reject);
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) child.kill();
      else output.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (errors.length < 1_000) errors += chunk.toString();
    });
    child.on('close', (code, signal) => {
      const reason = errors.split('\n')[0]?.trim() || undefined;
      resolve({ output: Buffer.concat(output), reason, code, signal });
    });
    // The process may end before it has read all input; the `close` event reports the reason.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}
