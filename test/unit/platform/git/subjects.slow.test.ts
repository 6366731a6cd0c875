import assert from 'node:assert/strict';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { lastSubjects } from '../../../../src/platform/git/subjects.ts';
import { Repository } from './repository.ts';

describe('the subjects of the last commits', function () {
  this.timeout(60_000);

  it('are the first lines, the newest first, at most as many as asked for', async () => {
    using repository = new Repository();
    assert.deepEqual(await lastSubjects(repository.place, 2), []);
    for (const message of ['one', 'zwei: Größe\n\nMore.', 'three']) {
      repository.git('commit', '--quiet', '--allow-empty', '--message', message);
    }
    assert.deepEqual(await lastSubjects(repository.place, 2), ['three', 'zwei: Größe']);
    assert.equal((await lastSubjects(repository.place, 10)).length, 3);
  });

  it('are read without the program that the repository names for signatures', async () => {
    using repository = new Repository();
    repository.git('commit', '--quiet', '--allow-empty', '--message', 'signed');
    const signature = ['BEGIN', 'END'].map((word) => `-----${word} PGP SIGNATURE-----`).join('\n \n ');
    writeFileSync(
      repository.at('commit'),
      repository.git('cat-file', 'commit', 'HEAD').replace('\n\n', `\ngpgsig ${signature}\n\n`),
    );
    const signed = repository.git('hash-object', '-t', 'commit', '-w', repository.at('commit')).trim();
    repository.git('update-ref', 'HEAD', signed);
    const [program, mark] = [repository.at('program'), repository.at('mark')];
    writeFileSync(program, `#!/bin/sh\ntouch '${mark}'\n`);
    chmodSync(program, 0o755);
    repository.git('config', 'gpg.program', program);
    repository.git('config', 'log.showSignature', 'true');
    assert.deepEqual(await lastSubjects(repository.place, 10), ['signed']);
    assert.ok(!existsSync(mark));
    repository.git('log');
    assert.ok(existsSync(mark), 'plain git starts it');
  });
});
