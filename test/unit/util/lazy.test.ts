import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { Lazy } from '../../../src/util/lazy.ts';
import { TemporaryFiles } from '../../tools/temporaryFiles.ts';

describe('what is made later', () => {
  const files = new TemporaryFiles();
  after(() => files.remove());

  it('is made once, for all who ask meanwhile, too', async () => {
    let times = 0;
    const later = new Lazy(async () => ++times);
    assert.deepEqual(await Promise.all([later.get(), later.get()]), [1, 1]);
    assert.equal(await later.get(), 1);
  });

  it('is tried again where its module could not be loaded', async () => {
    const path = files.write('export const word = 1;', 'other.mjs').replace('other.mjs', 'part.mjs');
    const later = new Lazy<{ readonly word: string }>(() => import(pathToFileURL(path).href));
    await assert.rejects(later.get(), { code: 'ERR_MODULE_NOT_FOUND' });
    files.write('export const word = "here";', 'part.mjs');
    assert.equal((await later.get()).word, 'here');
  });

  it('and could not be made is not there to do something to', async () => {
    const later = new Lazy(async () => {
      throw new Error('no');
    });
    const failed = later.get();
    const seen: unknown[] = [];
    await later.ifMade((made) => seen.push(made));
    await assert.rejects(failed, /no/);
    await later.ifMade((made) => seen.push(made));
    assert.deepEqual(seen, []);
  });
});
