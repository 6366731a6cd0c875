import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listingOf } from '../../../../src/platform/files/listings.ts';

describe('host: the listing of a folder', () => {
  const now = Date.now;
  let folder: string;
  const listing = () => listingOf(folder, new Map());
  const put = (name: string): void => writeFileSync(join(folder, name), '');

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-listing-'));
    // Entries changed in the last seconds may change again with the same times, so they are not cached.
    Date.now = () => now() + 60_000;
  });
  afterEach(() => {
    Date.now = now;
    rmSync(folder, { recursive: true, force: true });
  });

  it('distinguishes plain files and folders from links and from names that cannot be opened', async () => {
    put('a.ts');
    mkdirSync(join(folder, 'b'));
    symlinkSync('a.ts', join(folder, 'c'));
    const found = await listing();
    assert.deepEqual(
      ['a.ts', 'b', 'c', 'd'].map((name) => found?.isPlain(name)),
      [true, true, false, false],
    );
    assert.deepEqual(
      ['c', 'd'].map((name) => found?.certainlyLacks(name)),
      [false, true],
    );
  });

  it('does not report a name as missing if the file system may treat another name as equal', async () => {
    put('.GitIgnore');
    assert.equal((await listing())?.certainlyLacks('.gitignore'), false);
    assert.equal((await listing())?.certainlyLacks('.svcignore'), true);
    // Some file systems treat the long s as an s, and ignore characters without width.
    put('.\u017fvcignore');
    assert.equal((await listing())?.certainlyLacks('.svcignore'), false);
  });

  it('is read again when an entry was created, removed or renamed, or the folder was replaced', async () => {
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

  it('is cached while the folder is unchanged, and not while it may change undetected', async () => {
    put('a');
    const first = await listing();
    // On other platforms it is unknown whether the file system updates the times of a folder.
    if (process.platform === 'linux') assert.equal(await listing(), first);
    Date.now = now;
    put('b');
    const second = await listing();
    assert.notEqual(await listing(), second);
  });

  it('is null for an unreadable folder and for one with too many entries', async () => {
    assert.equal(await listingOf(join(folder, 'none'), new Map()), null);
    for (let index = 0; index < 5_001; index += 1) put(`file${index}`);
    assert.equal(await listing(), null);
    assert.equal(await listing(), null);
  });
});
