import assert from 'node:assert/strict';
import { committedWith } from '../../../../src/platform/git/listings.ts';
import { Repository } from './repository.ts';

const lines = (name: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `const ${name}${at} = [${at}];`);

describe('the committed files with all of some lines', () => {
  it('have each of them, however many there are', async () => {
    using repository = new Repository();
    repository.put('lib/all.ts', lines('one', 450).join('\n'));
    repository.put('lib/first.ts', lines('one', 200).join('\n'));
    repository.put('lib/last.ts', lines('one', 450).slice(200).join('\n'));
    repository.commit();
    const found = (wanted: readonly string[]): Promise<readonly string[]> =>
      committedWith(repository.place, wanted).catch(() => []);
    assert.deepEqual([...(await found(lines('one', 200)))].sort(), ['lib/all.ts', 'lib/first.ts']);
    assert.deepEqual(await found(lines('one', 450)), ['lib/all.ts']);
    // The lines of one batch are in one file, those of the next in another.
    repository.git('rm', '--quiet', 'lib/all.ts');
    repository.commit();
    assert.deepEqual(await found(lines('one', 450)), []);
    assert.deepEqual(await found([...lines('one', 200), ...lines('own', 50)]), []);
    // Four of five.
    assert.deepEqual(await found([...lines('one', 4), ...lines('own', 1)]), []);
  });

  it('are not those that are only staged', async () => {
    using repository = new Repository();
    repository.put('a.ts', lines('one', 5).join('\n'));
    repository.commit();
    repository.put('b.ts', lines('two', 5).join('\n'));
    repository.git('add', 'b.ts');
    assert.deepEqual(await committedWith(repository.place, lines('one', 5)), ['a.ts']);
    await assert.rejects(committedWith(repository.place, lines('two', 5)), { code: 'git-failed' });
  });
});
