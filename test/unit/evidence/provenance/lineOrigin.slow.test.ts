import assert from 'node:assert/strict';
import { lineOrigin } from '../../../../src/evidence/provenance/repository/lineOrigin.ts';
import { Bench, text } from './bench.ts';
import { thirteen, uuidOf } from './samples.ts';

describe('provenance: where a line is from', function () {
  // Real processes on a busy machine.
  this.timeout(60_000);

  it('is the edit of the commit that wrote it, even after later commits, another indentation and a rename', async () => {
    using bench = new Bench();
    const from = bench.head;
    const commit = bench.write('src/pay.ts', text(thirteen));
    await bench.note(from);
    bench.write('src/pay.ts', text(['// later', ...thirteen.map((line) => `  ${line}`)]));
    bench.git('mv', 'src/pay.ts', 'ä [x] *.ts');
    bench.commit();
    const unsaved = text(['// not committed', '// later', ...thirteen]);
    const found = await lineOrigin(bench.ask, 'ä [x] *.ts', unsaved, 3);
    assert.deepEqual([found?.commit, found?.edit?.edit], [commit, uuidOf(1)]);
    assert.equal((await lineOrigin(bench.ask, 'ä [x] *.ts', unsaved, 2))?.edit, null);
    assert.equal(await lineOrigin(bench.ask, 'ä [x] *.ts', unsaved, 1), null);
  });

  it('is not the edit if the note names a line that is another one', async () => {
    using bench = new Bench();
    const from = bench.head;
    bench.write('a.ts', text(['first', ...thirteen]));
    await bench.note(from);
    const note = bench.git('notes', '--ref=ai', 'show', 'HEAD').replace(' 2-14', ' 1,3-14');
    bench.git('notes', '--ref=ai', 'add', '--force', '--message', note, 'HEAD');
    const all = text(['first', ...thirteen]);
    assert.equal((await lineOrigin(bench.ask, 'a.ts', all, 1))?.edit, null);
    assert.equal((await lineOrigin(bench.ask, 'a.ts', all, 4))?.edit?.edit, uuidOf(1));
  });

  it('is unknown for a file that git does not have, and a name that git would read as something else', async () => {
    using bench = new Bench();
    for (const name of ['none.ts', './a.ts', '../a.ts', '', ':(top)a.ts', 'two\nlines']) {
      assert.equal(await lineOrigin(bench.ask, name, 'first\n', 1), null, name);
    }
  });

  it('runs no program of the repository', async () => {
    using bench = new Bench();
    bench.git('config', 'diff.x.textconv', `touch '${bench.at('was-run')}'; cat`);
    bench.write('.gitattributes', '*.ts diff=x\n');
    assert.equal((await lineOrigin(bench.ask, 'a.ts', 'first\n', 1))?.edit, null);
    assert.doesNotMatch(bench.git('status', '--porcelain', '--untracked-files=all'), /was-run/);
  });
});
