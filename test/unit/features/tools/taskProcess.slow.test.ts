import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TaskProcess } from '../../../../src/features/tools/node/taskProcess.ts';

const { execPath } = process;

describe('the process of a task', function () {
  this.timeout(30_000);
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'task-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const start = (command: string, args?: readonly string[], timeout = 20_000) => {
    let output = '';
    let heard: (() => void) | undefined;
    const about = { command, ...(args === undefined ? {} : { args }), cwd: folder, env: process.env, timeout };
    const task = new TaskProcess(about, (text) => {
      output += text;
      heard?.();
    });
    /** Resolves when the output has this text. */
    const says = (text: string): Promise<void> =>
      new Promise((resolve) => {
        heard = () => output.includes(text) && resolve();
        heard();
      });
    return { task, says, output: () => output };
  };
  /** The state of a process as `ps` shows it; empty if it is gone, and Z if only its entry is left. */
  const stateOf = (pid: number): Promise<string> =>
    new Promise((resolve) => execFile('ps', ['-o', 'stat=', '-p', String(pid)], (_, output) => resolve(output.trim())));
  /** Resolves when a process has ended; the test times out otherwise. */
  const ended = async (pid: number): Promise<void> => {
    for (let state = await stateOf(pid); state !== '' && !state.startsWith('Z'); ) state = await stateOf(pid);
  };
  const pidIn = (text: string): number => Number(/pid (\d+)/.exec(text)?.[1] ?? assert.fail(text));

  it('has an exit code and the output of both streams', async () => {
    const { task, output } = start('echo out; echo err >&2; exit 3');
    assert.deepEqual(await task.done, { code: 3 });
    assert.deepEqual(output().split('\n').toSorted(), ['', 'err', 'out']);
  });

  it('runs a program without a shell', async () => {
    const { task, output } = start(execPath, ['-e', 'console.log(process.argv[1])', '$HOME; echo x']);
    assert.deepEqual(await task.done, { code: 0 });
    assert.equal(output(), '$HOME; echo x\n');
  });

  it('has no input, and the end of ten megabytes of output arrives', async () => {
    const { task, output } = start(execPath, [
      '-e',
      "process.stdin.on('end', () => process.stdout.write('x'.repeat(1e7) + 'end')).resume()",
    ]);
    assert.deepEqual(await task.done, { code: 0 });
    assert.equal(output().length, 1e7 + 3);
  });

  it('rejects if it cannot be started', async () => {
    await assert.rejects(start(join(folder, 'none'), []).task.done, /ENOENT/);
  });

  it('ends with what it has started, even if they ignore SIGTERM or leave the group', async () => {
    const child = `process.on('SIGTERM', () => {}); console.log('pid ' + process.pid); setInterval(() => {}, 1000);`;
    const parent = `
      process.on('SIGTERM', () => {});
      const { spawn } = require('node:child_process');
      spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { detached: true, stdio: 'inherit' });`;
    const { task, says, output } = start(execPath, ['-e', parent]);
    await says('pid ');
    const pid = pidIn(output());
    assert.match(await stateOf(pid), /^[^Z]/);
    await task.stop();
    assert.deepEqual(await task.done, { code: null, ended: 'user' });
    await ended(pid);
  });

  it('ends when its time is over', async () => {
    const { task } = start('sleep 100', undefined, 50);
    assert.deepEqual(await task.done, { code: null, ended: 'time' });
  });

  it('leaves nothing behind in its group when it has ended, and its end is not delayed by what holds its output', async () => {
    const { task, output } = start('sleep 100 & echo pid $!; sh -c \'trap "" TERM; sleep 100\' & exit 0');
    assert.deepEqual(await task.done, { code: 0 });
    await ended(pidIn(output()));
  });

  it('is not stopped twice, and not after its end', async () => {
    const { task } = start('exit 0');
    assert.deepEqual(await task.done, { code: 0 });
    await task.stop();
    assert.deepEqual(await task.done, { code: 0 });
  });

  it('is killed immediately if there is no time left', async () => {
    const { task, says } = start(`trap "" TERM; echo ready; sleep 100; echo more`);
    await says('ready');
    task.kill();
    assert.deepEqual(await task.done, { code: null });
  });
});
