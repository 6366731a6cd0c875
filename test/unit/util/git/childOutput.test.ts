import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { childOutput } from '../../../../src/util/git/childOutput.ts';

const run = (script: string, input = '', maxBytes = 1_000_000) =>
  childOutput(spawn(process.execPath, ['-e', script]), input, maxBytes);

describe('util: the output of a child process', () => {
  it('is what it wrote, after it has read its input', async () => {
    const { output, reason, code, signal } = await run('process.stdin.pipe(process.stdout)', 'Grüße');
    assert.deepEqual([output.toString(), reason, code, signal], ['Grüße', undefined, 0, null]);
  });

  it('has the first line of its errors, and how it ended', async () => {
    const { reason, code } = await run('console.error("  first\\nsecond"); process.exitCode = 3');
    assert.deepEqual([reason, code], ['first', 3]);
  });

  it('ends with a process that does not read its input', async () => {
    const { code } = await run('process.exit(0)', 'x'.repeat(1_000_000));
    assert.equal(code, 0);
  });

  it('is limited: a process that writes more is killed', async () => {
    const endless = 'const more = () => process.stdout.write("x".repeat(65536), more); more()';
    const { output, signal } = await run(endless, '', 100_000);
    assert.deepEqual([output.length <= 100_000, signal], [true, 'SIGTERM']);
  });

  it('rejects for a program that cannot be started', async () => {
    await assert.rejects(childOutput(spawn('no-such-program'), '', 1), { code: 'ENOENT' });
  });
});
