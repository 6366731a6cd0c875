import assert from 'node:assert/strict';
import { Repository } from '../git/repository.ts';
import { DiskWorkspace, excludedContentIn, moduleIn } from './stage.ts';
import { Uri } from './vscodeFiles.ts';

type Exclusions = typeof import('../../../../src/platform/sources/ignored/exclusions.ts');
type WhyFileExcluded = Exclusions['whyFileExcluded'];

const text = 'the ledgers of the western quarry are kept by the keeper of the northern lighthouse\n'.repeat(3);

/** Each look at the clock is 60 ms later, so that every search is treated as one that takes long. */
async function slowly(work: () => Promise<void>): Promise<void> {
  const { now } = performance;
  let ms = now.call(performance);
  performance.now = () => {
    ms += 60;
    return ms;
  };
  try {
    await work();
  } finally {
    performance.now = now;
  }
}

describe('an ignore file in a folder where there was none, of which VS Code reports nothing', () => {
  it('keeps the files below it back immediately', async () => {
    using repository = new Repository();
    const workspace = new DiskWorkspace(repository.folder);
    const { whyFileExcluded } = await moduleIn<Exclusions>(workspace, 'src/platform/sources/ignored/exclusions.ts');
    const why: WhyFileExcluded = (name) => whyFileExcluded(Uri.file(repository.at(name)).toString());
    for (const [place, name] of Object.entries({ '': 'a', 'deep/': 'b', 'deep/er/': 'c', 'other/': 'd' })) {
      repository.put(`${place}${name}.txt`, text);
      assert.equal(await why(`${place}${name}.txt`), null);
      for (const file of ['.svcignore', '.gitignore']) {
        repository.put(place + file, `${name}.txt\n`);
        assert.match((await why(`${place}${name}.txt`)) ?? 'may leave', /line 1/, place + file);
        repository.put(place + file, '');
        assert.equal(await why(`${place}${name}.txt`), null);
      }
    }
  });

  it('makes a file of the conversation recognized immediately, others when the search is repeated', async () => {
    using repository = new Repository();
    repository.put('deep/a.txt', text);
    repository.put('.env', 'A=the anchors of the eastern harbour are counted by the keeper\n');
    repository.commit();
    const uri = Uri.file(repository.at('deep/a.txt')).toString();
    await slowly(async () => {
      const content = await excludedContentIn(new DiskWorkspace(repository.folder));
      const filesWith = async (excluded: readonly string[]) => {
        const { state, find } = await content.recognition({ isCompleteRequired: true, isQuick: false, excluded });
        return [state.files, (await find(text, undefined)).length > 0];
      };
      assert.deepEqual(await filesWith([]), [1, false]);
      repository.put('deep/.svcignore', 'a.txt\n');
      // What docs/privacy.md says.
      assert.deepEqual(await filesWith([]), [1, false]);
      assert.deepEqual(await filesWith([uri]), [2, true]);
      assert.deepEqual(await filesWith([]), [2, true]);
    });
  });
});
