import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { Lazy } from '../../../src/util/lazy.ts';
import { TemporaryFiles } from '../../tools/temporaryFiles.ts';

describe('lazy creation', () => {
  const files = new TemporaryFiles();
  after(() => files.remove());

  it('happens once, also for concurrent callers', async () => {
    let times = 0;
    const later = new Lazy(async () => ++times);
    assert.deepEqual(await Promise.all([later.get(), later.get()]), [1, 1]);
    assert.equal(await later.get(), 1);
  });

  it('is retried if the module could not be loaded', async () => {
    const path = files.write('export const word = 1;', 'other.mjs').replace('other.mjs', 'part.mjs');
    const later = new Lazy<{ readonly word: string }>(() => import(pathToFileURL(path).href));
    await assert.rejects(later.get(), { code: 'ERR_MODULE_NOT_FOUND' });
    files.write('export const word = "here";', 'part.mjs');
    assert.equal((await later.get()).word, 'here');
  });

  it('skips the call if the creation failed', async () => {
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
