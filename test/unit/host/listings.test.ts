import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listingOf } from '../../../src/host/sources/listings.ts';

describe('host: what is in a folder', () => {
  const now = Date.now;
  let folder: string;
  const listing = () => listingOf(folder, new Map());
  const put = (name: string): void => writeFileSync(join(folder, name), '');

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-listing-'));
    // What was changed in the last seconds may change again and have the same times: it is not kept.
    Date.now = () => now() + 60_000;
  });
  afterEach(() => {
    Date.now = now;
    rmSync(folder, { recursive: true, force: true });
  });

  it('tells files and folders from links, and what cannot be opened by a name', async () => {
    put('a.ts');
    mkdirSync(join(folder, 'b'));
    symlinkSync('a.ts', join(folder, 'c'));
    const found = await listing();
    assert.deepEqual(
      ['a.ts', 'b', 'c', 'd'].map((name) => found?.isPlain(name)),
      [true, true, false, false],
    );
    assert.deepEqual(
      ['c', 'd'].map((name) => found?.lacks(name)),
      [false, true],
    );
  });

  it('lacks no name that a file system may take for one of its own', async () => {
    put('.GitIgnore');
    assert.equal((await listing())?.lacks('.gitignore'), false);
    assert.equal((await listing())?.lacks('.svcignore'), true);
    // Some systems take the long s for an s, and pass over what has no width.
    put('.\u017fvcignore');
    assert.equal((await listing())?.lacks('.svcignore'), false);
  });

  it('is read again when an entry was made, removed or renamed, or the folder is another', async () => {
    put('a');
    const has = async (name: string): Promise<boolean | undefined> => (await listing())?.isPlain(name);
    assert.equal(await has('a'), true);
    put('b');
    assert.equal(await has('b'), true);
    rmSync(join(folder, 'a'));
    assert.equal(await has('a'), false);
    renameSync(join(folder, 'b'), join(folder, 'c'));
    assert.deepEqual([await has('b'), await has('c')], [false, true]);
    rmSync(join(folder, 'c'));
    symlinkSync('c', join(folder, 'c'));
    assert.equal(await has('c'), false);
    renameSync(folder, `${folder}-old`);
    mkdirSync(folder);
    put('d');
    assert.deepEqual([await has('c'), await has('d')], [false, true]);
    rmSync(`${folder}-old`, { recursive: true });
  });

  it('is the same object as long as the folder is the same, and not while that may change unseen', async () => {
    put('a');
    const first = await listing();
    // Elsewhere it is not known whether the file system changes a folder's times.
    if (process.platform === 'linux') assert.equal(await listing(), first);
    Date.now = now;
    put('b');
    const second = await listing();
    assert.notEqual(await listing(), second);
  });

  it('is none of a folder that cannot be read, and of one with too much in it', async () => {
    assert.equal(await listingOf(join(folder, 'none'), new Map()), null);
    for (let index = 0; index < 5_001; index += 1) put(`file${index}`);
    assert.equal(await listing(), null);
    assert.equal(await listing(), null);
  });
});
